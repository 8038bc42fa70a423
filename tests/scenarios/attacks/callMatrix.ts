import { officeRoutes } from '../../../contract/office/routes.ts'
import { callRoles } from '../../../contract/office/roles.ts'
import { staffRoles, type StaffRole } from '../../../contract/office/staff.ts'
import { routes } from '../../../contract/routes.ts'
import type { Route } from '../../../contract/route.ts'
import { blackBoxClient, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { findings, type Findings } from '../findings.ts'
import { openAttackedVenue, type Engine } from './attackedVenue.ts'

type Expect = ReturnType<typeof findings>['expect']
const pathOf = (path: string): string => path.replaceAll(/:\w+/g, 'nobody')
const officeCalls = Object.entries(officeRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, { method, path }]) => ({
    name: `${noun}.${verb}`,
    method,
    path: `/desk${pathOf(path)}`,
  })),
)

/** Every call of both APIs from a foreign page, without token, without session, and by whom it is not for. */
export async function callAsEverybody(main: string, engine: Engine): Promise<Findings> {
  const venue = await openAttackedVenue(main, engine, { env: { RATE_LIMITS: 'off' } })
  const { found, expect } = findings()
  try {
    const member = await venue.member()
    await callFromForeignPages(member, venue.url, expect)
    const staff: [StaffRole, BlackBoxClient][] = []
    for (const role of staffRoles) staff.push([role, await venue.staff(role, `one-of-${role}`)])
    await callOutsideRoles(staff, expect)
    await callOfficeAsOthers(venue.url, member, expect)
    await writeOfficeFromForeignPages(staff, member, expect)
    const { status } = await member.get('/api/me')
    expect(status === 200, () => "the member's session ended")
  } finally {
    await venue.close()
  }
  return found
}

async function callFromForeignPages(member: BlackBoxClient, url: string, expect: Expect): Promise<void> {
  const { port } = new URL(url)
  const origins = [
    'https://foreign.test',
    'null',
    `http://127.0.0.1:${port}.foreign.test`,
    `http://127.0.0.1:1`,
  ]
  const writing = Object.values(routes as Record<string, Route>).filter(({ method }) => method !== 'GET')
  for (const { method, path, member: needsSession } of writing) {
    const at = `/api${pathOf(path)}`
    for (const origin of origins) {
      const { status } = await member.call(method, at, { body: {}, headers: { origin } })
      expect(status === 403, () => `${method} ${at} from ${origin}: ${status}`)
    }
    if (needsSession !== true) continue
    const without = await member.call(method, at, { body: {}, token: false })
    expect(without.status === 403, () => `${method} ${at} without token: ${without.status}`)
    const wrong = await member.call(method, at, { body: {}, headers: { 'x-csrf-token': 'a'.repeat(43) } })
    expect(wrong.status === 403, () => `${method} ${at} with another token: ${wrong.status}`)
    const nobody = await blackBoxClient(url).call(method, at, { body: {} })
    expect(nobody.status === 401, () => `${method} ${at} without session: ${nobody.status}`)
  }
}

/** A body that fits no call may be told before the role is. */
async function callOutsideRoles(
  staff: readonly (readonly [StaffRole, BlackBoxClient])[],
  expect: Expect,
): Promise<void> {
  for (const [role, client] of staff)
    for (const { name, method, path } of officeCalls) {
      if (!(name in callRoles) || callRoles[name as keyof typeof callRoles].includes(role)) continue
      const { status, code } = await client.call(method, path, method === 'GET' ? {} : { body: {} })
      const isRefused = status === 403 || code === 'VALIDATION'
      expect(isRefused, () => `${role} ${method} ${path}: ${status} ${code}`)
    }
}

async function callOfficeAsOthers(url: string, member: BlackBoxClient, expect: Expect): Promise<void> {
  for (const { name, method, path } of officeCalls.filter(({ name }) => name in callRoles))
    for (const client of [blackBoxClient(url), member]) {
      const { status } = await client.call(method, path, method === 'GET' ? {} : { body: {} })
      expect(status === 401, () => `${name} without a session of the staff: ${status}`)
    }
}

async function writeOfficeFromForeignPages(
  staff: readonly (readonly [StaffRole, BlackBoxClient])[],
  member: BlackBoxClient,
  expect: Expect,
): Promise<void> {
  const admin = staff.find(([role]) => role === 'admin')?.[1]
  const support = staff.find(([role]) => role === 'support')?.[1]
  if (!admin || !support) throw new Error('no admin or support')
  const ways: Record<string, Record<string, string>> = {
    'a foreign origin': { origin: 'https://foreign.test' },
    'no origin': { origin: 'null' },
    "another's token": { 'x-csrf-token': support.session.token },
    "a member's token": { 'x-csrf-token': member.session.token },
    'an empty token': { 'x-csrf-token': '' },
    'a form': { 'content-type': 'application/x-www-form-urlencoded' },
    text: { 'content-type': 'text/plain' },
  }
  for (const [what, headers] of Object.entries(ways)) {
    const { status } = await admin.call('POST', '/desk/site/maintenance', {
      body: { opensAt: null },
      headers,
    })
    expect(status >= 400 && status < 500, () => `an admin's call with ${what}: ${status}`)
  }
}
