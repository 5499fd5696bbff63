# A row continues after an escaped line end, and after a line that ends with an escape.
import csv

LINES = [
    ["abb\\\n", "xyz,q\n", "r\n"],
    ["a\\\r\n", "b,c\r\n"],
    ['"a\\\n', 'b",c\n', "d\n"],
    ["a\\", ",b", "c"],
    ['"a\\', '"b",c', "d"],
    ["a,b\\\n"],
    ["a\\\n", "\n", "b\n"],
    ["x\\\n", "y", "z\n", "w\n"],
]
for lines in LINES:
    for strict in [False, True]:
        try:
            print(list(csv.reader(lines, escapechar="\\", strict=strict)))
        except csv.Error as e:
            print("Error:", e)
