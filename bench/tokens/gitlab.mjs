// GitLab: merge requests, pipelines, jobs and their logs.
import { day, hash, pick, range, sentence, turns } from './making.mjs'

const people = ['anna', 'ben', 'chloe', 'dev', 'emil']
const stages = ['build', 'lint', 'unit', 'browser', 'deploy']
const PROJECT = 'acme/web'

const user = (name) => ({
  id: 40 + people.indexOf(name),
  username: name,
  name: name[0].toUpperCase() + name.slice(1),
  state: 'active',
  locked: false,
  avatar_url: `https://git.example.com/uploads/user/avatar/${name}.png`,
  web_url: `https://git.example.com/${name}`,
})

const mergeRequest = (i) => ({
  id: 9000 + i,
  iid: String(200 + i),
  project_id: '17',
  title: sentence(i, 8),
  description: sentence(i + 4, 70),
  state: 'opened',
  created_at: day(i),
  updated_at: day(i + 9),
  target_branch: 'main',
  source_branch: `topic-${i}`,
  upvotes: i % 3,
  downvotes: 0,
  author: user(pick(people, i)),
  assignees: [user(pick(people, i * 3))],
  reviewers: i % 4 === 0 ? [] : [user(pick(people, i * 2 + 1))],
  labels: [pick(['backend', 'frontend'], i)],
  draft: i % 5 === 0,
  merge_status: i % 6 === 0 ? 'cannot_be_merged' : 'can_be_merged',
  has_conflicts: i % 6 === 0,
  sha: hash(i),
  user_notes_count: i % 8,
  web_url: `https://git.example.com/${PROJECT}/-/merge_requests/${200 + i}`,
  time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
})

const pipeline = (i) => ({
  id: String(5000 + i),
  iid: i,
  project_id: '17',
  sha: hash(i * 3),
  ref: 'main',
  status: i % 3 === 0 ? 'failed' : 'success',
  source: 'push',
  created_at: day(i),
  updated_at: day(i),
  web_url: `https://git.example.com/${PROJECT}/-/pipelines/${5000 + i}`,
})

const jobFails = (id, j) => Number(id) % 3 === 5000 % 3 && j === 1 + (Number(id) % 4)
const job = (id, j) => ({
  id: String(Number(id) * 10 + j),
  status: jobFails(id, j) ? 'failed' : 'success',
  stage: stages[j],
  name: `${stages[j]}:${pick(['linux', 'windows'], Number(id))}`,
  ref: 'main',
  tag: false,
  coverage: null,
  allow_failure: false,
  created_at: day(j),
  started_at: day(j),
  finished_at: day(j),
  duration: 40 + ((Number(id) * 7 + j * 31) % 300),
  queued_duration: 1.5,
  user: user(pick(people, Number(id))),
  commit: {
    id: hash(id),
    short_id: hash(id).slice(0, 8),
    title: sentence(Number(id), 6),
    author_name: pick(people, Number(id)),
  },
  pipeline: { id, project_id: '17', ref: 'main', sha: hash(id), status: 'success' },
  web_url: `https://git.example.com/${PROJECT}/-/jobs/${Number(id) * 10 + j}`,
  runner: { id: 3, description: 'shared-runner-3', active: true, is_shared: true },
})

const causes = ['timeout waiting for the page', 'cannot find module ./price', 'expected 12 to be 13', 'disk is full']
const log = (id) =>
  [
    'Running with runner 17.2.0',
    ...range(120).map((i) => `$ step ${i} ${sentence(Number(id) + i, 9)}`),
    `ERROR: ${pick(causes, Math.floor(Number(id) / 10))}`,
    'Job failed: exit code 1',
  ].join('\n')

const page = (all, { page: at = 1, per_page = 20 }) => all.slice((at - 1) * per_page, at * per_page)
const requests = range(40).map(mergeRequest)
const pipelines = range(24).map(pipeline)
const failedPipelines = pipelines.filter(({ status }) => status === 'failed')
const failedJobs = failedPipelines.flatMap(({ id }) =>
  range(5)
    .map((j) => job(id, j))
    .filter(({ status }) => status === 'failed'),
)

export const gitlab = {
  catalogue: 'gitlab-zereight',
  answer: {
    list_merge_requests: (args) => page(requests, args),
    get_merge_request: ({ merge_request_iid }) => requests[Number(merge_request_iid) - 200],
    list_pipelines: ({ status, ...rest }) =>
      page(
        pipelines.filter((one) => !status || one.status === status),
        rest,
      ),
    list_pipeline_jobs: ({ pipeline_id, scope }) =>
      range(5)
        .map((j) => job(pipeline_id, j))
        .filter((one) => !scope || one.status === scope),
    get_pipeline_job_output: ({ job_id }) => log(job_id),
  },
}

const project = { project_id: PROJECT }

export const tasks = [
  {
    id: 'gitlab-unreviewed',
    question: 'Which open merge requests of acme/web are no drafts and have no reviewer?',
    servers: ['gitlab'],
    direct: [
      [1, 2].map((at) => ['gitlab', 'list_merge_requests', { ...project, state: 'opened', per_page: 20, page: at }]),
    ],
    codeMode: turns(
      'list merge requests',
      'servers/gitlab/list_merge_requests.pyi',
      `r = gitlab.list_merge_requests(project_id="acme/web", state="opened", per_page=100)
result = [m["iid"] for m in r if not m["draft"] and not m["reviewers"]]`,
    ),
    expected: () => requests.filter((one) => !one.draft && one.reviewers.length === 0).map(({ iid }) => iid),
  },
  {
    id: 'gitlab-one-request',
    question: 'Who wrote merge request 203 of acme/web, and can it be merged?',
    servers: ['gitlab'],
    direct: [[['gitlab', 'get_merge_request', { ...project, merge_request_iid: '203' }]]],
    codeMode: turns(
      'get a merge request',
      'servers/gitlab/get_merge_request.pyi',
      `m = gitlab.get_merge_request(project_id="acme/web", merge_request_iid="203")
result = [m["author"]["username"], m["merge_status"]]`,
    ),
    expected: ['dev', 'can_be_merged'],
  },
  {
    id: 'gitlab-failing-stages',
    question: 'In which stages did the last failed pipelines of acme/web fail, and how often in each?',
    servers: ['gitlab'],
    direct: [
      [['gitlab', 'list_pipelines', { ...project, status: 'failed' }]],
      failedPipelines.map(({ id }) => [
        'gitlab',
        'list_pipeline_jobs',
        { ...project, pipeline_id: id, scope: 'failed' },
      ]),
    ],
    codeMode: turns(
      'failed jobs of pipelines',
      ['servers/gitlab/list_pipelines.pyi', 'servers/gitlab/list_pipeline_jobs.pyi'],
      `counts = {}
for p in gitlab.list_pipelines(project_id="acme/web", status="failed"):
    for j in gitlab.list_pipeline_jobs(project_id="acme/web", pipeline_id=p["id"], scope="failed"):
        counts[j["stage"]] = counts.get(j["stage"], 0) + 1
result = dict(sorted(counts.items()))`,
    ),
    expected: () => {
      const counts = {}
      for (const { stage } of failedJobs) counts[stage] = (counts[stage] ?? 0) + 1
      return counts
    },
  },
  {
    id: 'gitlab-causes',
    question: 'What are the causes of the failed jobs in the last failed pipelines of acme/web? Read their logs.',
    servers: ['gitlab'],
    direct: [
      [['gitlab', 'list_pipelines', { ...project, status: 'failed' }]],
      failedPipelines.map(({ id }) => [
        'gitlab',
        'list_pipeline_jobs',
        { ...project, pipeline_id: id, scope: 'failed' },
      ]),
      failedJobs.map(({ id }) => ['gitlab', 'get_pipeline_job_output', { ...project, job_id: id }]),
    ],
    codeMode: turns(
      'job log of a pipeline',
      ['list_pipelines', 'list_pipeline_jobs', 'get_pipeline_job_output'].map((name) => `servers/gitlab/${name}.pyi`),
      `p = gitlab.list_pipelines(project_id="acme/web", status="failed")[0]
j = gitlab.list_pipeline_jobs(project_id="acme/web", pipeline_id=p["id"], scope="failed")[0]
print(j["name"], gitlab.get_pipeline_job_output(project_id="acme/web", job_id=j["id"])[-300:])`,
      `causes = {}
for p in gitlab.list_pipelines(project_id="acme/web", status="failed"):
    for j in gitlab.list_pipeline_jobs(project_id="acme/web", pipeline_id=p["id"], scope="failed"):
        for line in gitlab.get_pipeline_job_output(project_id="acme/web", job_id=j["id"]).splitlines():
            if line.startswith("ERROR: "):
                causes.setdefault(line[7:], []).append(j["id"])
result = dict(sorted(causes.items()))`,
    ),
    expected: () => {
      const found = {}
      for (const { id } of failedJobs) (found[pick(causes, Math.floor(Number(id) / 10))] ??= []).push(id)
      return found
    },
  },
  {
    id: 'gitlab-slow-stages',
    question: 'How long does each stage of the pipelines on main take on average, over the last ten?',
    servers: ['gitlab'],
    direct: [
      [['gitlab', 'list_pipelines', { ...project, ref: 'main', per_page: 10 }]],
      pipelines.slice(0, 10).map(({ id }) => ['gitlab', 'list_pipeline_jobs', { ...project, pipeline_id: id }]),
    ],
    codeMode: turns(
      'pipeline jobs duration',
      ['servers/gitlab/list_pipelines.pyi', 'servers/gitlab/list_pipeline_jobs.pyi'],
      `times = {}
for p in gitlab.list_pipelines(project_id="acme/web", ref="main", per_page=10):
    for j in gitlab.list_pipeline_jobs(project_id="acme/web", pipeline_id=p["id"]):
        times.setdefault(j["stage"], []).append(j["duration"])
result = {stage: round(sum(all) / len(all), 1) for stage, all in times.items()}`,
    ),
    expected: () => {
      const mean = (j) => pipelines.slice(0, 10).reduce((sum, { id }) => sum + job(id, j).duration, 0) / 10
      return Object.fromEntries(stages.map((stage, j) => [stage, Math.round(mean(j) * 10) / 10]))
    },
  },
]
