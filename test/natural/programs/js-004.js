const PROJECTS = ['shop/web', 'shop/payments', 'shop/search', 'infra/terraform', 'data/etl', 'legacy/monolith'];

async function projectHealth(project_id) {
  const [project, pipelines, issues] = await Promise.all([
    gitlab_zereight.get_project({ project_id }),
    gitlab_zereight.list_pipelines({ project_id, ref: 'main', per_page: 10 }),
    gitlab_zereight.list_issues({ project_id, state: 'opened', labels: ['bug'], per_page: 50 }),
  ]);
  const finished = pipelines.filter(({ status }) => status === 'success' || status === 'failed');
  if (finished.length === 0) {
    throw new Error(`${project.name} has no finished pipelines`);
  }
  const green = finished.filter(({ status }) => status === 'success').length;
  const durations = finished.map((p) => p.duration).filter((d) => typeof d === 'number').sort((a, b) => a - b);
  const streak = finished.findIndex(({ status }) => status === 'failed');
  return {
    project: project.path_with_namespace ?? project_id,
    language: project.languages?.[0] ?? 'unknown',
    successRate: green / finished.length,
    medianMinutes: durations.length ? durations[Math.floor(durations.length / 2)] / 60 : null,
    streak: streak === -1 ? finished.length : streak,
    bugs: issues.length,
    unassigned: issues.filter((i) => !i.assignees?.length).length,
    oldest: issues.map((i) => i.created_at.slice(0, 10)).sort()[0] ?? null,
  };
}

const settled = await Promise.allSettled(PROJECTS.map(projectHealth));

const healthy = [];
const broken = {};
settled.forEach((outcome, i) => {
  if (outcome.status === 'fulfilled') healthy.push(outcome.value);
  else broken[PROJECTS[i]] = outcome.reason.message;
});

const score = ({ successRate, streak, bugs, medianMinutes }) =>
  Math.max(0, Math.round(successRate * 60 + Math.min(streak, 5) * 4 + Math.max(0, 20 - bugs) - (medianMinutes > 20 ? 10 : 0)));

const table = healthy
  .map((h) => ({ ...h, score: score(h) }))
  .sort((a, b) => b.score - a.score);

for (const [rank, h] of table.entries()) {
  const stars = '★'.repeat(Math.round(h.score / 20)).padEnd(5, '☆');
  console.log(
    `${rank + 1}. ${h.project.padEnd(18)} ${stars} ${String(h.score).padStart(3)}  ` +
      `${(h.successRate * 100).toFixed(0).padStart(3)}% green, streak ${h.streak}, ` +
      `${h.medianMinutes?.toFixed(1) ?? '?'} min, ${h.bugs} bugs (${h.unassigned} unassigned, oldest ${h.oldest ?? 'n/a'})`,
  );
}
for (const [project, why] of Object.entries(broken)) {
  console.log(`✗ ${project}: ${why}`);
}

const { length: n } = table;
const average = table.reduce((sum, { score }) => sum + score, 0) / n;
console.log(`average score of ${n} projects: ${average.toFixed(1)}`);

const worst = table.at(-1);
const fastest = await Promise.any(
  table.map(async ({ project, medianMinutes }) => {
    if (medianMinutes === null || medianMinutes > 5) throw new Error('slow');
    return project;
  }),
).catch((e) => (e instanceof AggregateError ? `none of ${e.errors.length}` : String(e)));
console.log('under five minutes:', fastest);

return {
  ranking: table.map(({ project, score }) => [project, score]),
  average: Number(average.toFixed(2)),
  worst: worst.project,
  broken,
  fastest,
};
