const now = Date.parse('2025-05-23T12:00:00Z');
const project_id = 'acme/backend';

const mrs = await gitlab.list_merge_requests({ project_id, state: 'opened', scope: 'all', per_page: 50 });

const details = await Promise.all(
  mrs
    .filter((mr) => !mr.draft)
    .map(async (mr) => {
      let discussions = [];
      try {
        discussions = await gitlab.mr_discussions({ project_id, merge_request_iid: String(mr.iid) });
      } catch (err) {
        console.log(`!${mr.iid}: could not read discussions (${err.message})`);
      }
      const notes = discussions.flatMap((d) => d.notes).filter((n) => !n.system);
      const unresolved = discussions.filter((d) => d.notes.some((n) => n.resolvable && !n.resolved)).length;
      const last = notes.length ? notes[notes.length - 1] : null;
      const waitingSince = last ? last.created_at : mr.created_at;
      let waitingFor;
      if (unresolved > 0 && last?.author.username !== mr.author.username) waitingFor = 'author';
      else if (!mr.reviewers?.length) waitingFor = 'reviewer assignment';
      else waitingFor = 'reviewer';
      return {
        iid: mr.iid,
        title: mr.title,
        author: mr.author.name,
        reviewers: mr.reviewers?.map((r) => r.username) ?? [],
        unresolved,
        comments: notes.length,
        waitingFor,
        hours: Math.round((now - Date.parse(waitingSince)) / 36e5),
        conflicts: mr.has_conflicts === true,
      };
    })
);

details.sort((a, b) => b.hours - a.hours);

function since(hours) {
  const days = Math.floor(hours / 24);
  return days > 0 ? `${days}d ${hours % 24}h` : `${hours}h`;
}

for (const who of ['reviewer', 'author', 'reviewer assignment']) {
  const list = details.filter((d) => d.waitingFor === who);
  console.log(`\nWaiting for ${who} (${list.length})`);
  for (const d of list) {
    const extra = [d.unresolved && `${d.unresolved} open threads`, d.conflicts && 'has conflicts'].filter(Boolean).join(', ');
    console.log(`  !${d.iid} ${d.title} — ${d.author}, ${since(d.hours)}${extra ? ` [${extra}]` : ''}`);
  }
}

const load = {};
for (const d of details) {
  if (d.waitingFor !== 'reviewer') continue;
  for (const r of d.reviewers) load[r] = (load[r] ?? 0) + 1;
}
console.log('\nReview queue:', JSON.stringify(load));

const median = details.map((d) => d.hours).sort((a, b) => a - b)[Math.floor(details.length / 2)];
return { open: mrs.length, reviewed: details.length, medianHours: median, load };
