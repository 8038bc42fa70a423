import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../contract/office/routes.ts'
import { staffSessionRoutes } from '../../contract/office/staff.ts'
import type { Route } from '../../contract/route.ts'
import { routes as apiRoutes } from '../../contract/routes.ts'
import { replyOf } from '../support/apiCalls.ts'
import { createStaff, type StaffClient } from '../support/staffClient.ts'
import { withVenue } from '../support/withVenue.ts'

let admin: StaffClient
let cookie = ''
const venue = await withVenue()
beforeAll(async () => {
  admin = await createStaff(venue, 'admin')
  cookie = `sid=${(await venue.createMember()).sid}`
})

type NamedRoute = { name: string; isOffice: boolean; route: Route }
const named = (table: object, isOffice: boolean): NamedRoute[] =>
  Object.entries(table as Record<string, Route>).map(([name, route]) => ({ name, isOffice, route }))
const routes = [
  ...named(apiRoutes, false),
  ...named(staffSessionRoutes, true),
  ...Object.values(officeRoutes).flatMap((verbs) => named(verbs, true)),
].map((each) => ({
  ...each,
  call: `${each.route.method} ${each.isOffice ? '/desk' : '/api'}${each.route.path}`,
}))
// The venue of the tests mounts no recordings.
const reads = routes.filter(({ call, route }) => route.method === 'GET' && !call.includes('/recordings/'))

it.each(reads)('$call refuses an unknown field of the query', async ({ isOffice, route }) => {
  const path = `${route.path.replace('/queues/:id', '/queues/deposits').replaceAll(/:\w+/g, '1')}?nobodyKnows=1`
  const read = () => venue.app.inject({ url: `/api${path}`, headers: { cookie } })
  const readOffice = () => (path.startsWith('/session') ? admin.get(path) : venue.office('GET', path))
  expect(isOffice ? await readOffice() : replyOf(await read())).toMatchObject({
    status: 400,
    fields: { nobodyKnows: 'UNKNOWN_FIELD' },
  })
})

it.each(routes)('$call declares no query or body that takes unknown fields', ({ route }) => {
  for (const schema of [route.query, route.body]) {
    // One union chooses by its type.
    const read = schema?.safeParse({ nobodyKnows: 1, type: 'bank' })
    if (read)
      expect(JSON.stringify(read.error?.issues)).toMatch(/"unrecognized_keys","keys":\[[^\]]*"nobodyKnows"/)
  }
})
