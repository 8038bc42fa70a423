import { join } from 'node:path'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { deskKey } from '../../e2e/officeCalls.ts'
import {
  blackBoxClient,
  registerMember,
  type Answer,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'
import { configFile } from '../../support/configFile.ts'
import { freePort } from '../../support/otherPrograms.ts'
import { openScratchPostgres, type ScratchPostgres } from '../../support/scratchPostgres.ts'
import { staffPassword } from '../../support/staffClient.ts'
import { startVenue } from '../../support/venueProcess.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'

export type Engine = 'embedded' | 'postgres'

/** The built venue in a process of its own, as somebody attacks it who has nothing but its address. */
export type AttackedVenue = {
  url: string
  pid: number
  hasExited: () => boolean
  /** A member who has just opened an account. */
  member(): Promise<BlackBoxClient & { id: string; account: string }>
  /** A call of the desk with its key. */
  desk<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>>
  /** One of the staff, logged in; `createdBy` two admins where the key may not. */
  staff(
    role: StaffRole,
    name: string,
    createdBy?: readonly [BlackBoxClient, BlackBoxClient],
  ): Promise<BlackBoxClient>
  close(): Promise<void>
}

export type VenuePlan = { env?: Record<string, string>; config?: object }

/** @param main the bundled venue's `main.js` */
export async function openAttackedVenue(
  main: string,
  engine: Engine,
  { env = {}, config = {} }: VenuePlan = {},
): Promise<AttackedVenue> {
  const folder = await scratchFolder()
  const dataDir = join(folder.path, 'data')
  let scratch: ScratchPostgres | null = null
  if (engine === 'postgres') scratch = await openScratchPostgres('attacks')
  // Where it stands behind a proxy, it tells that one's address instead of its own.
  const port = await freePort()
  const venue = startVenue([main], {
    PORT: String(port),
    DATA_DIR: dataDir,
    ...(scratch && { DATABASE_URL: scratch.url }),
    PRODUCTS_FILE: 'tests/e2e/products.json',
    CONFIG_FILE: configFile(folder.path, config),
    LOG_LEVEL: 'error',
    DESK_KEY: deskKey,
    ...env,
  })
  let hasExited = false
  void venue.exited.then(() => (hasExited = true))
  const close = async (): Promise<void> => {
    await venue.end('SIGTERM')
    await scratch?.drop()
    await folder.remove()
  }
  try {
    await venue.ready
    return { ...callers(`http://127.0.0.1:${port}`), pid: venue.pid, hasExited: () => hasExited, close }
  } catch (error) {
    await close()
    throw error
  }
}

function callers(url: string): Pick<AttackedVenue, 'url' | 'member' | 'desk' | 'staff'> {
  let members = 0
  const desk: AttackedVenue['desk'] = (method, path, body) =>
    blackBoxClient(url).call(method, path, {
      body,
      headers: { authorization: `Bearer ${deskKey}` },
    })
  return {
    url,
    desk,
    member: async () => {
      const account = `attacker${(members += 1)}`
      const client = await registerMember(url, account, String(13_800_000_000 + members))
      const { body } = await client.get<{ id: string }>('/api/me')
      return { ...client, id: body.id, account }
    },
    staff: async (role, name, createdBy) => {
      const code = createdBy ? await byTwo(createdBy, role, name) : await byKey(desk, role, name)
      return enrol(url, code)
    },
  }
}

type Created = { enrolment: { code: string } }

async function byKey(desk: AttackedVenue['desk'], role: StaffRole, name: string): Promise<string> {
  const { status, body, text } = await desk<Created>('POST', '/desk/staff', { name, role })
  if (status !== 201) throw new Error(text)
  return body.enrolment.code
}

async function byTwo(
  [first, second]: readonly [BlackBoxClient, BlackBoxClient],
  role: StaffRole,
  name: string,
): Promise<string> {
  const asked = await first.call<{ proposal: { id: string } }>('POST', '/desk/staff', {
    body: { name, role },
  })
  const path = `/desk/proposals/${asked.body.proposal.id}/confirm`
  const { status, body, text } = await second.call<{ result: Created }>('POST', path)
  if (status !== 200) throw new Error(text)
  return body.result.enrolment.code
}

async function enrol(url: string, code: string): Promise<BlackBoxClient> {
  const body = { code, password: staffPassword }
  const opened = await blackBoxClient(url).call<{ csrfToken: string }>('POST', '/desk/enrolment', { body })
  if (opened.status !== 201) throw new Error(opened.text)
  return blackBoxClient(url, { cookie: cookiesOf(opened), token: opened.body.csrfToken, setCookie: '' })
}

/** All cookies of an answer, as a browser sends them back. */
export const cookiesOf = ({ headers }: Pick<Answer<unknown>, 'headers'>): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

let addresses = 0
/** The header of a proxy that names a client's address: each time another one. */
export const fromElsewhere = (): Record<string, string> => {
  addresses += 1
  return { 'x-forwarded-for': `203.0.${addresses >> 8}.${addresses & 255}` }
}
