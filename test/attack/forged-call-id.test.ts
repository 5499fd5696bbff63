// Wall: the host distrusts its workers. Calls are numbered from one without gaps; any other number ends run and worker.

import { expect, it } from 'vitest'
import { breach, forgedRun, WAKE } from './forged-worker.js'

it.each([2, 7, -1, 2 ** 31 - 1])('a first call with the number %i', (id) => {
  const forged = forgedRun()
  forged.request(id, 'x')
  forged.run.announced(WAKE)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach(`call ${id} arrived after call 0`) })
  expect(forged.calls).toEqual([])
})

it('the same number twice ends the run', () => {
  const forged = forgedRun()
  forged.request(1, 'first')
  forged.run.announced(WAKE)
  forged.request(1, 'again')
  forged.run.announced(WAKE)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('call 1 arrived after call 1') })
  expect(forged.calls).toEqual(['first'])
})
