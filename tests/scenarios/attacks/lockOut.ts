import { setTimeout as wait } from 'node:timers/promises'
import type { WorkAnswer } from '../../../contract/work.ts'
import { blackBoxClient, password, type Answer } from '../../support/blackBoxClient.ts'
import { staffPassword } from '../../support/staffClient.ts'
import { withWork } from '../../support/work.ts'
import { findings, type Findings } from '../findings.ts'
import {
  cookiesOf,
  fromElsewhere,
  openAttackedVenue,
  type AttackedVenue,
  type Engine,
} from './attackedVenue.ts'

/** Guessers at once, each time from another address. */
const guessers = 2
/** Of what they guessed before the owner comes. */
const judgedBefore = 7
/** The owner's right password with one work, and once more if that came too late. */
const triesMax = 2

/** Strangers who know a name guess its password without end, with the work; the owner logs in on a new and on a known device. */
export async function lockOut(main: string, engine: Engine): Promise<Findings & { note: string }> {
  const venue = await openAttackedVenue(main, engine, {
    env: { TRUST_PROXY: '1', DESK_REMOTE: '1', PUBLIC_URL: 'http://localhost' },
  })
  const { found, expect } = findings()
  const notes: string[] = []
  try {
    const member = await venue.member()
    await venue.staff('finance', 'paula')
    const doors: readonly [string, string, object, string][] = [
      ['a member', '/api/auth/login', { account: member.account }, password],
      ['one of the staff', '/desk/session', { name: 'paula' }, staffPassword],
    ]
    for (const [who, path, name, right] of doors) {
      const siege = besiege(venue, path, name)
      await siege.judged(judgedBefore)
      const { answers, cookie } = await enter(venue, path, { ...name, password: right })
      expect(
        answers.at(-1) === 200,
        () => `${who} with the right password on a new device: ${answers.join(', ')}`,
      )
      const again = await logIn(venue, path, { ...name, password: right }, { ...fromElsewhere(), cookie })
      expect(again.status === 200, () => `${who} on a known device: ${again.status} ${again.code}`)
      const { sent, judged } = await siege.end()
      notes.push(`${who}: ${judged} of ${sent} guesses judged, in after ${answers.length}`)
    }
  } finally {
    await venue.close()
  }
  return { ...found, note: notes.join('; ') }
}

const logIn = (
  { url }: AttackedVenue,
  path: string,
  body: object,
  { cookie, ...headers }: Headers,
  work?: WorkAnswer,
): Promise<Answer<unknown>> =>
  blackBoxClient(url).call('POST', path, {
    body: { ...body, ...(work && { work }) },
    headers: { ...headers, ...(cookie !== undefined && { cookie }) },
  })
type Headers = Record<string, string>

/** As an app does: works where it is asked to, and sends the answer from where it was asked. */
async function enter(
  venue: AttackedVenue,
  path: string,
  body: object,
): Promise<{ answers: unknown[]; cookie: string }> {
  const answers: unknown[] = []
  let cookie = ''
  while (answers.at(-1) !== 200 && answers.length < triesMax) {
    const headers = fromElsewhere()
    const { reply } = await withWork((work) => logIn(venue, path, body, headers, work))
    answers.push(reply.status === 200 ? 200 : reply.code)
    // The session stays with the device that has it: only what makes a device known is sent again.
    const pairs = cookiesOf(reply).split('; ')
    cookie = pairs.filter((pair) => /device/i.test(pair)).join('; ')
  }
  return { answers, cookie }
}

function besiege(venue: AttackedVenue, path: string, name: object) {
  const counts = { sent: 0, judged: 0 }
  const state = { isOver: false }
  const guess = async (): Promise<void> => {
    while (!state.isOver) {
      const body = { ...name, password: `a wrong one ${counts.sent}` }
      const headers = fromElsewhere()
      const { reply } = await withWork((work) => {
        counts.sent += 1
        return logIn(venue, path, body, headers, work)
      })
      if (reply.code === 'BAD_CREDENTIALS') counts.judged += 1
    }
  }
  const all = Promise.all(Array.from({ length: guessers }, guess))
  return {
    judged: async (count: number): Promise<void> => {
      while (counts.judged < count) await Promise.race([wait(50), all])
    },
    end: async (): Promise<typeof counts> => {
      state.isOver = true
      await all
      return counts
    },
  }
}
