const text = desktop_commander.list_processes({});

const processes = [];
for (const line of text.trim().split('\n')) {
  const m = line.match(/^PID:\s*(\d+),\s*Command:\s*(.+?),\s*CPU:\s*([\d.]+)%?,\s*Memory:\s*([\d.]+)%?/);
  if (!m) {
    console.log('Could not parse:', line);
    continue;
  }
  processes.push({ pid: +m[1], command: m[2], cpu: parseFloat(m[3]), mem: parseFloat(m[4]) });
}

function appName(command) {
  const exe = command.split(/\s+/)[0].split('/').pop();
  switch (exe) {
    case 'node':
    case 'python':
    case 'python3': {
      const script = command.split(/\s+/).slice(1).find((a) => !a.startsWith('-'));
      return script ? `${exe}:${script.split('/').pop()}` : exe;
    }
    case 'java': {
      const jar = command.match(/-jar\s+(\S+)/);
      return jar ? `java:${jar[1].split('/').at(-1)}` : 'java';
    }
    default:
      return exe.replace(/[:\d]+$/, '') || exe;
  }
}

const apps = {};
for (const p of processes) {
  const name = appName(p.command);
  const a = apps[name] ?? (apps[name] = { name, count: 0, cpu: 0, mem: 0, pids: [] });
  a.count += 1;
  a.cpu += p.cpu;
  a.mem += p.mem;
  a.pids.push(p.pid);
}

const round = (x, digits = 1) => Math.round(x * 10 ** digits) / 10 ** digits;
const top = (field, n = 5) => Object.values(apps).sort((a, b) => b[field] - a[field] || a.name.localeCompare(b.name)).slice(0, n);

console.log(`${processes.length} processes, ${Object.keys(apps).length} programs`);
for (const field of ['cpu', 'mem']) {
  console.log(`\nTop by ${field}`);
  for (const a of top(field)) {
    console.log(`  ${a.name.padEnd(26)} ${String(round(a[field])).padStart(6)}%  (${a.count} process${a.count === 1 ? '' : 'es'})`);
  }
}

const runaway = processes.filter(({ cpu }) => cpu > 90);
for (const { pid, command, cpu } of runaway) console.log(`\nRunaway: ${pid} ${command} at ${cpu}%`);

const duplicates = Object.values(apps).filter((a) => a.count > 3).map(({ name, count, pids }) => ({ name, count, oldest: Math.min(...pids) }));
const result = { total: processes.length, runaway: runaway.map((p) => p.pid), duplicates, memTotal: round(processes.reduce((s, p) => s + p.mem, 0), 2) };
console.log(JSON.stringify(result, null, 2));
