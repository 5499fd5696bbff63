// Kubernetes and Azure: pods, logs, machines and blobs.
import { day, hash, pick, range, sentence, turns } from './making.mjs'

const namespaces = ['billing', 'search', 'web']
const pod = (i) => {
  const name = `${pick(['api', 'worker', 'cron'], i)}-${hash(i).slice(0, 10)}`
  const namespace = pick(namespaces, i)
  const restarts = i % 7 === 0 ? 6 + i : i % 3
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: hash(i + 77),
      resourceVersion: String(88_000 + i),
      creationTimestamp: day(i),
      labels: { app: name.split('-')[0], 'pod-template-hash': hash(i).slice(0, 9), team: pick(['red', 'blue'], i) },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: name.slice(0, 8), uid: hash(i + 5), controller: true },
      ],
    },
    spec: {
      nodeName: `node-${i % 4}`,
      serviceAccountName: 'default',
      restartPolicy: 'Always',
      containers: [
        {
          name: 'main',
          image: `registry.example.com/${name.split('-')[0]}:1.${i % 5}.0`,
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          env: range(5).map((j) => ({ name: `SETTING_${j}`, value: sentence(i + j, 3) })),
          resources:
            i % 5 === 0 ? {} : { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          volumeMounts: [{ name: 'token', readOnly: true, mountPath: '/var/run/secrets' }],
        },
      ],
    },
    status: {
      phase: 'Running',
      podIP: `10.0.${i % 4}.${i}`,
      startTime: day(i),
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: day(i),
      })),
      containerStatuses: [
        { name: 'main', ready: true, restartCount: restarts, image: 'main', containerID: `containerd://${hash(i)}` },
      ],
    },
  }
}
const pods = range(45).map(pod)
const restartsOf = (one) => one.status.containerStatuses[0].restartCount
const logsOf = (name) => {
  const i = pods.findIndex((one) => one.metadata.name === name)
  const end = i % 14 === 0 ? 'fatal: out of memory' : 'fatal: connection refused by stock:5432'
  return [...range(60).map((j) => `${day(j)} info ${sentence(i + j, 9)}`), end].join('\n')
}

const machine = (i) => ({
  name: `vm-${i}`,
  id: `/subscriptions/${hash(1).slice(0, 32)}/resourceGroups/${pick(['prod', 'test'], i)}/providers/Microsoft.Compute/virtualMachines/vm-${i}`,
  location: pick(['westeurope', 'northeurope'], i),
  vmSize: pick(['Standard_D2s_v5', 'Standard_D8s_v5', 'Standard_B2ms'], i),
  provisioningState: 'Succeeded',
  osType: pick(['Linux', 'Windows'], i * 3),
  licenseType: null,
  zones: ['1'],
  tags: i % 4 === 0 ? {} : { owner: pick(['red', 'blue'], i), cost: `c-${i % 6}` },
})
const machines = range(30).map(machine)
const accounts = range(6).map((i) => ({
  name: `acmestore${i}`,
  location: 'westeurope',
  kind: 'StorageV2',
  skuName: 'Standard_LRS',
  skuTier: 'Standard',
  allowBlobPublicAccess: i % 3 === 1,
  enableHttpsTrafficOnly: i !== 4,
  hnsEnabled: false,
}))
const blob = (account, j) => ({
  name: `backup/${account}/${j}.tar.gz`,
  lastModified: day(j * 3),
  eTag: hash(j),
  contentLength: 1_000_000 + ((j * 7919 + account.length * 13) % 9_000_000),
  contentType: 'application/gzip',
  contentHash: hash(j + 1),
  blobType: 'BlockBlob',
  accessTier: pick(['Hot', 'Cool', 'Hot'], j),
  leaseState: 'Available',
})
const blobsOf = (account) => range(30).map((j) => blob(account, j))

/** Azure's server wraps every answer. */
const wrapped = (results) => ({ status: 200, message: 'Success', results, duration: 0 })

export const kubernetes = {
  catalogue: 'kubernetes-flux159',
  answer: {
    kubectl_get: ({ namespace = 'default', allNamespaces = false, labelSelector }) => {
      const items = pods
        .filter(({ metadata }) => allNamespaces || metadata.namespace === namespace)
        .filter(
          ({ metadata }) =>
            !labelSelector || metadata.labels[labelSelector.split('=')[0]] === labelSelector.split('=')[1],
        )
      return { apiVersion: 'v1', kind: 'List', items, metadata: { resourceVersion: '' } }
    },
    kubectl_logs: ({ name }) => logsOf(name),
  },
}

export const azure = {
  catalogue: 'azure',
  answer: {
    compute_vm_get: () => wrapped({ vms: machines }),
    storage_account_get: ({ account }) =>
      wrapped({ accounts: accounts.filter(({ name }) => !account || name === account) }),
    storage_blob_get: ({ account }) => wrapped({ blobs: blobsOf(account) }),
  },
}

const allPods = ['kubernetes', 'kubectl_get', { resourceType: 'pods', allNamespaces: true }]
const shaky = pods.filter((one) => restartsOf(one) > 5)
const entityOf = ({ metadata }) => ({ name: metadata.name, entityType: 'pod', observations: [metadata.namespace] })

export const tasks = [
  {
    id: 'kubernetes-restarts',
    question: 'Which pods of the cluster have restarted more than five times?',
    servers: ['kubernetes'],
    direct: [[allPods]],
    codeMode: turns(
      'get pods of all namespaces',
      'servers/kubernetes.pyi',
      `pods = kubernetes.kubectl_get(resourceType="pods", allNamespaces=True)["items"]
result = [[p["metadata"]["namespace"], p["metadata"]["name"], p["status"]["containerStatuses"][0]["restartCount"]]
          for p in pods if p["status"]["containerStatuses"][0]["restartCount"] > 5]`,
    ),
    expected: () => shaky.map((one) => [one.metadata.namespace, one.metadata.name, restartsOf(one)]),
  },
  {
    id: 'kubernetes-causes',
    question: 'Why did the pods that have restarted more than five times end? Take the last line of their logs.',
    servers: ['kubernetes'],
    direct: [
      [allPods],
      shaky.map(({ metadata: { name, namespace } }) => [
        'kubernetes',
        'kubectl_logs',
        { resourceType: 'pod', name, namespace },
      ]),
    ],
    codeMode: turns(
      'pod logs',
      'servers/kubernetes.pyi',
      `causes = {}
for p in kubernetes.kubectl_get(resourceType="pods", allNamespaces=True)["items"]:
    if p["status"]["containerStatuses"][0]["restartCount"] > 5:
        m = p["metadata"]
        log = kubernetes.kubectl_logs(resourceType="pod", name=m["name"], namespace=m["namespace"])
        causes.setdefault(log.splitlines()[-1], []).append(m["name"])
result = causes`,
    ),
    expected: () => {
      const found = {}
      for (const { metadata } of shaky) (found[logsOf(metadata.name).split('\n').at(-1)] ??= []).push(metadata.name)
      return found
    },
  },
  {
    id: 'kubernetes-limits',
    question: 'How many pods of each namespace have no memory limit?',
    servers: ['kubernetes'],
    direct: [[allPods]],
    codeMode: turns(
      'get pods',
      'servers/kubernetes.pyi',
      `counts = {}
for p in kubernetes.kubectl_get(resourceType="pods", allNamespaces=True)["items"]:
    if any("memory" not in c["resources"].get("limits", {}) for c in p["spec"]["containers"]):
        n = p["metadata"]["namespace"]
        counts[n] = counts.get(n, 0) + 1
result = dict(sorted(counts.items()))`,
    ),
    expected: () => {
      const without = pods.filter(({ spec }) => spec.containers[0].resources.limits === undefined)
      return Object.fromEntries(
        namespaces.map((name) => [name, without.filter(({ metadata }) => metadata.namespace === name).length]),
      )
    },
  },
  {
    id: 'azure-untagged',
    question: 'Which of our virtual machines in Azure have no owner, and what size are they?',
    servers: ['azure'],
    direct: [[['azure', 'compute_vm_get', {}]]],
    codeMode: turns(
      'list virtual machines',
      'servers/azure/compute_vm_get.pyi',
      `vms = azure.compute_vm_get()["results"]["vms"]
result = [[v["name"], v["vmSize"]] for v in vms if "owner" not in v["tags"]]`,
    ),
    expected: () => machines.filter(({ tags }) => tags.owner === undefined).map(({ name, vmSize }) => [name, vmSize]),
  },
  {
    id: 'azure-public',
    question: 'Which storage accounts allow public access to blobs, or traffic without HTTPS?',
    servers: ['azure'],
    direct: [[['azure', 'storage_account_get', {}]]],
    codeMode: turns(
      'storage accounts',
      'servers/azure/storage_account_get.pyi',
      `found = azure.storage_account_get()["results"]["accounts"]
result = [a["name"] for a in found if a["allowBlobPublicAccess"] or not a["enableHttpsTrafficOnly"]]`,
    ),
    expected: ['acmestore1', 'acmestore4'],
  },
  {
    id: 'azure-hot-backups',
    question: 'How many bytes of backups are in the hot tier of each storage account (container backup)?',
    servers: ['azure'],
    direct: [
      [['azure', 'storage_account_get', {}]],
      accounts.map(({ name }) => ['azure', 'storage_blob_get', { account: name, container: 'backup' }]),
    ],
    codeMode: turns(
      'list blobs of a container',
      ['servers/azure/storage_account_get.pyi', 'servers/azure/storage_blob_get.pyi'],
      `sums = {}
for a in azure.storage_account_get()["results"]["accounts"]:
    blobs = azure.storage_blob_get(account=a["name"], container="backup")["results"]["blobs"]
    sums[a["name"]] = sum(b["contentLength"] for b in blobs if b["accessTier"] == "Hot")
result = sums`,
    ),
    expected: () => {
      const hot = ({ name }) => blobsOf(name).filter(({ accessTier }) => accessTier === 'Hot')
      return Object.fromEntries(
        accounts.map((one) => [one.name, hot(one).reduce((sum, { contentLength }) => sum + contentLength, 0)]),
      )
    },
  },
  {
    id: 'kubernetes-into-memory',
    question:
      'Remember every pod that restarted more than five times: an entity of type pod, its namespace as observation.',
    servers: ['kubernetes', 'memory'],
    direct: [[allPods], [['memory', 'create_entities', { entities: shaky.map(entityOf) }]]],
    codeMode: turns(
      'get pods; create entities',
      ['servers/kubernetes.pyi', 'servers/memory.pyi'],
      `shaky = [p["metadata"] for p in kubernetes.kubectl_get(resourceType="pods", allNamespaces=True)["items"]
         if p["status"]["containerStatuses"][0]["restartCount"] > 5]
made = memory.create_entities(entities=[{"name": m["name"], "entityType": "pod", "observations": [m["namespace"]]} for m in shaky])
result = [e["name"] for e in made["entities"]]`,
    ),
    expected: () => shaky.map(({ metadata }) => metadata.name),
  },
]
