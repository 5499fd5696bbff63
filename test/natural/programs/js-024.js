// Export all issues of a group; the API fails now and then, so retry with smaller pages.
class RetryError extends Error {
  name = 'RetryError';

  constructor(attempts, options) {
    super(`gave up after ${attempts.length} attempts`, options);
    this.attempts = attempts;
  }
}

const transient = (e) => /\b(429|5\d\d|timeout)\b/i.test(e.message);

async function withRetry(plan, { onRetry = () => {} } = {}) {
  const attempts = [];
  let delay = 250;
  for await (const call of plan) {
    try {
      return await call();
    } catch (error) {
      attempts.push({ delay, message: error.message });
      if (!transient(error)) throw error;
      onRetry(error, delay);
      delay = Math.min(delay * 2, 4000);
    }
  }
  throw new RetryError(attempts, { cause: attempts.at(-1)?.message });
}

let slept = 0;
const retries = [];

/** All pages of a project's issues, as an async generator. */
async function* issuesOf(project_id) {
  let perPage = 40;
  let seen = 0;
  while (true) {
    const sizes = [perPage, perPage / 2, perPage / 4].filter(Number.isInteger);
    function* plan() {
      for (const per_page of sizes) {
        if (seen % per_page) continue;
        yield async () => {
          const batch = await gitlab_zereight.list_issues({ project_id, state: 'all', page: seen / per_page + 1, per_page });
          perPage = per_page;
          return batch;
        };
      }
    }
    const batch = await withRetry(plan(), {
      onRetry: (e, ms) => {
        slept += ms;
        retries.push(`${project_id}@${seen}: ${e.message}`);
      },
    });
    yield* batch;
    seen += batch.length;
    if (batch.length < perPage) return;
  }
}

async function collect(iterable, limit = Infinity) {
  const list = [];
  for await (const item of iterable) {
    list.push(item);
    if (list.length >= limit) break;
  }
  return list;
}

const stats = {};
const failures = {};
for (const project of ['app', 'api', 'docs', 'secret', 'flaky']) {
  try {
    const issues = await collect(issuesOf(project), 60);
    const closed = issues.filter((i) => i.closed_at);
    const hours = closed.map((i) => (Date.parse(i.closed_at) - Date.parse(i.created_at)) / 36e5).sort((a, b) => a - b);
    const half = hours.length >> 1;
    const median = !hours.length ? null : hours.length % 2 ? hours[half] : (hours[half - 1] + hours[half]) / 2;
    const labels = issues.flatMap((i) => i.labels ?? []).reduce((m, l) => m.set(l, (m.get(l) ?? 0) + 1), new Map());
    stats[project] = {
      total: issues.length,
      closed: closed.length,
      median: median && +median.toFixed(1),
      top: [...labels].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, 2).map(([l, n]) => `${l} (${n})`),
    };
  } catch (e) {
    failures[project] = e instanceof RetryError ? `${e.message}; last: ${e.cause}` : e.message;
    if (e.attempts) console.log(e.attempts.map((a) => `  ${project}: ${a.delay}ms ${a.message}`).join('\n'));
  } finally {
    console.log(`${project.padEnd(7)} ${stats[project] ? 'done' : 'FAILED'}`);
  }
}

console.log();
for (const [name, { total, closed, median, top }] of Object.entries(stats)) {
  const share = total ? `${Math.round((closed / total) * 100)}%` : 'n/a';
  console.log(`${name.padEnd(7)} ${String(total).padStart(4)} issues, ${share.padStart(4)} closed, median ${median ?? '-'}h, ${top.join(', ') || 'no labels'}`);
}
console.log('retries:', retries);
console.log('failures:', failures, `(would have slept ${slept}ms)`);
return { stats, failures, retries: retries.length, slept };
