import { NEVER } from 'rxjs'
import { describe, it } from 'vitest'
import { createReloadPolicy } from '../../../streams/member/reloadPolicy.ts'
import { marblesWith } from '../../support/marbles.ts'

const updown = { u: true, d: false }
const reasons = { c: 'connect', f: 'catchUp', r: 'resume' }

/** What is fetched while the wire goes up and down. */
const cases: [what: string, up: string, resume: string, fetched: string][] = [
  ['at once and after each connect', 'u 2999ms d--u', '', 'c 2999ms ---c'],
  ['again 2 s after the first connect', 'd 99ms u', '', 'c 2099ms f'],
  ['nothing while the wire is down', 'd 99ms u 99ms d', '', 'c'],
  ['at once after a second connect, and not for the first one as well', 'd 99ms u--d-u', '', 'c 99ms -----c'],
  ['at once on a reconnect, however soon', 'u--d--u', '', 'c-----c'],
  ['on resume', 'u', '---r', 'c--r'],
]

describe('reload$', () => {
  it.each(cases)('emits %s', (_, up, resume, fetched) =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const reloadPolicy = createReloadPolicy({
        up$: cold(up, updown),
        resume$: hot(resume, { r: 0 }),
        account$: NEVER,
        scheduler,
      })
      expectObservable(reloadPolicy.reload$).toBe(fetched, reasons)
    }),
  )
})
