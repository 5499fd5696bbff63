// Which pods restart too much or run close to their memory limit?
class Bytes {
  static #units = { '': 1, K: 1e3, M: 1e6, G: 1e9, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };

  constructor(value) {
    this.value = value;
  }

  static parse(text) {
    const m = /^(?<number>\d+(?:\.\d+)?)(?<unit>[KMG]i?|)$/.exec(text ?? '');
    if (!m) throw new RangeError(`not a quantity: ${text}`);
    return new Bytes(Number(m.groups.number) * Bytes.#units[m.groups.unit]);
  }

  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? this.toString() : this.value;
  }

  toString() {
    const mib = this.value / 1024 ** 2;
    return mib >= 1024 ? `${(mib / 1024).toFixed(1)}Gi` : `${Math.round(mib)}Mi`;
  }

  toJSON() {
    return this.toString();
  }
}

const { items: pods } = await kubernetes_flux159.kubectl_get({ resourceType: 'pods', namespace: 'shop', output: 'json' });
const top = await kubernetes_flux159.kubectl_generic({ command: 'top', subCommand: 'pods', namespace: 'shop', flags: { containers: true } });

// NAMESPACE-less "kubectl top" table: POD NAME CPU MEMORY
const usage = new Map();
const [, ...lines] = top.trim().split('\n');
for (const line of lines) {
  const [pod, container, cpu, memory] = line.trim().split(/\s+/);
  usage.set(`${pod}/${container}`, { cpu: parseInt(cpu, 10), memory: Bytes.parse(memory) });
}

const report = [];
const errors = [];
for (const pod of pods) {
  const { name, labels: { app = '?' } = {} } = pod.metadata;
  const statuses = pod.status.containerStatuses ?? [];
  for (const { name: container, resources: { limits = {} } = {} } of pod.spec.containers) {
    const status = statuses.find((s) => s.name === container);
    const used = usage.get(`${name}/${container}`);
    let limit = null;
    try {
      limit = limits.memory === undefined ? null : Bytes.parse(limits.memory);
    } catch (e) {
      errors.push(`${name}/${container}: ${e.message}`);
    }
    report.push({
      app,
      pod: name,
      container,
      phase: pod.status.phase,
      restarts: status?.restartCount ?? 0,
      reason: status?.lastState?.terminated?.reason ?? status?.state?.waiting?.reason ?? '',
      used: used?.memory ?? null,
      limit,
      share: used && limit ? used.memory / limit : NaN,
    });
  }
}

const hot = report
  .filter((r) => r.restarts >= 3 || r.share > 0.85 || r.phase !== 'Running')
  .sort((a, b) => b.restarts - a.restarts || (b.share || 0) - (a.share || 0));

for (const r of hot) {
  const share = Number.isNaN(r.share) ? '   –' : `${(r.share * 100).toFixed(0)}%`.padStart(4);
  console.log(`${r.pod.padEnd(22)} ${r.container.padEnd(9)} ${r.phase.padEnd(8)} ${String(r.restarts).padStart(3)}× ${share}  ${r.used ?? '-'} of ${r.limit ?? 'unlimited'} ${r.reason}`.trimEnd());
}

const logs = {};
for (const { pod, container, reason } of hot) {
  if (reason !== 'OOMKilled' && reason !== 'CrashLoopBackOff') continue;
  const text = await kubernetes_flux159.kubectl_logs({ resourceType: 'pod', name: pod, namespace: 'shop', container, previous: true, tail: 20 });
  const last = text.trimEnd().split('\n').filter((l) => /error|fatal|exception/i.test(l)).at(-1);
  logs[`${pod}/${container}`] = last ?? '(nothing suspicious)';
}
console.log('\nlast words:');
for (const [where, line] of Object.entries(logs)) console.log(`  ${where}: ${line}`);

const byApp = {};
for (const { app, used } of report) {
  byApp[app] ??= new Bytes(0);
  byApp[app] = new Bytes(byApp[app] + (used ?? 0));
}
console.log('\nmemory by app:', Object.entries(byApp).sort(([, a], [, b]) => b - a).map(([app, b]) => `${app} ${b}`).join(', '));
errors.forEach((e) => console.log('!', e));

return { hot: hot.map(({ pod, container, restarts }) => `${pod}/${container}:${restarts}`), byApp, errors, logs };
