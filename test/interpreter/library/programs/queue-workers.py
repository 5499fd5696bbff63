# Threads that wait for a queue before there is anything in it.
import queue
import threading

q = queue.Queue()
out = []
def work():
    while True:
        x = q.get()
        if x is None:
            q.task_done()
            break
        out.append(x)
        q.task_done()
threads = [threading.Thread(target=work) for _ in range(2)]
for t in threads: t.start()
for i in range(5): q.put(i)
for t in threads: q.put(None)
for t in threads: t.join()
print(sorted(out), q.empty())

jobs = queue.Queue()
done = []
def serve():
    while True:
        x = jobs.get()
        done.append(x * 2)
        jobs.task_done()
threading.Thread(target=serve, daemon=True).start()
for i in range(3): jobs.put(i)
jobs.join()
print(done)
jobs.put(10)
jobs.join()
print(done)

questions, answers = queue.Queue(), queue.Queue()
def answer():
    while True:
        x = questions.get()
        if x is None: break
        answers.put(x + 1)
t = threading.Thread(target=answer)
t.start()
for n in (1, 5):
    questions.put(n)
    print(answers.get())
questions.put(None)
t.join()
print("end", answers.empty())

one = []
t = threading.Thread(target=lambda: one.append(jobs2.get()))
jobs2 = queue.Queue()
t.start()
jobs2.put(7)
t.join()
print(one)
