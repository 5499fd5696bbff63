const { items: pods } = await kubernetes.kubectl_get({ resourceType: 'pods', allNamespaces: true, output: 'json' });

const summary = {};
const suspicious = [];
const images = new Map();

for (const pod of pods) {
  const { name, namespace, labels = {} } = pod.metadata;
  const app = labels['app.kubernetes.io/name'] ?? labels.app ?? name.replace(/-[a-z0-9]+-[a-z0-9]{5}$/, '');
  const key = `${namespace}/${app}`;
  summary[key] ??= { pods: 0, ready: 0, restarts: 0, phases: {} };
  const s = summary[key];
  s.pods += 1;
  s.phases[pod.status.phase] = (s.phases[pod.status.phase] ?? 0) + 1;

  const statuses = pod.status.containerStatuses ?? [];
  if (statuses.length && statuses.every((c) => c.ready)) s.ready += 1;
  for (const { restartCount, state, name: container } of statuses) {
    s.restarts += restartCount;
    const reason = state?.waiting?.reason;
    if (reason && reason !== 'ContainerCreating') suspicious.push({ pod: `${namespace}/${name}`, container, reason });
  }

  for (const { image } of pod.spec.containers) {
    const lastSlash = image.lastIndexOf('/');
    const colon = image.indexOf(':', lastSlash);
    const tag = image.includes('@sha256:') ? 'digest' : colon === -1 ? 'latest' : image.slice(colon + 1);
    if (!images.has(image)) images.set(image, { tag, users: new Set() });
    images.get(image).users.add(key);
  }
}

const lines = Object.entries(summary).sort(([a], [b]) => a.localeCompare(b));
for (const [key, s] of lines) {
  const flag = s.ready < s.pods ? ' !' : '';
  const phases = Object.entries(s.phases).map(([p, n]) => `${p}:${n}`).join(' ');
  console.log(`${key.padEnd(30)} ${s.ready}/${s.pods} ready  ${String(s.restarts).padStart(3)} restarts  ${phases}${flag}`);
}

console.log('\nContainers in trouble:');
suspicious.forEach(({ pod, container, reason }) => console.log(` - ${pod} (${container}): ${reason}`));

const floating = [...images].filter(([, i]) => i.tag === 'latest');
console.log('\nImages without a fixed tag:');
for (const [image, { users }] of floating) {
  console.log(` - ${image} used by ${[...users].join(', ')}`);
}

const worst = lines.reduce((a, b) => (b[1].restarts > a[1].restarts ? b : a));
console.log(`\nMost restarts: ${worst[0]} (${worst[1].restarts})`);

const result = {
  apps: lines.length,
  pods: pods.length,
  trouble: suspicious,
  floating: floating.map(([image]) => image),
};
