import { describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { staffSessionRoutes } from '../../../../contract/office/staff.ts'
import type { Route } from '../../../../contract/route.ts'
import { deskKey } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const metricsKey = 'metrics-key-for-tests'
const routes: Route[] = [
  ...Object.values(officeRoutes).flatMap((verbs) => Object.values(verbs) as Route[]),
  ...Object.values(staffSessionRoutes),
]

describe('the metrics key', async () => {
  const venue = await withVenue({ settings: { metricsKey, deskRemote: true } })
  let machines = 0
  /** Each from another machine: one may try ten wrong keys a minute. */
  const send = async (method: Route['method'], url: string, key: string | null) => {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` }
    const remoteAddress = `10.0.${Math.floor((machines += 1) / 250)}.${(machines % 250) + 1}`
    const { statusCode, body } = await venue.app.inject({ method, url, headers, remoteAddress })
    return { statusCode, body, code: /"code":"(\w+)"/.exec(body)?.[1] }
  }

  it('reads the metrics, as the desk key does, and no other key', async () => {
    for (const key of [metricsKey, deskKey]) {
      const { statusCode, body } = await send('GET', '/metrics', key)
      expect([statusCode, body.includes('uptick_leading')]).toEqual([200, true])
    }
    for (const key of [null, 'metrics-key-for-others', '']) {
      expect(await send('GET', '/metrics', key)).toMatchObject({ statusCode: 404 })
    }
  })

  it('is taken by no call of the desk: each answers as it does without a key', async () => {
    let refused = 0
    for (const { method, path } of routes) {
      const url = `/desk${path.replaceAll(/:\w+/g, '1')}`
      const { statusCode, code } = await send(method, url, metricsKey)
      expect([url, await send(method, url, null)]).toMatchObject([url, { statusCode, code }])
      if (statusCode === 401) refused += 1
      // Only calls of a login and of an enrolment are open.
      else expect(url).toMatch(/^\/desk\/(session|enrolment)/)
    }
    expect(refused).toBeGreaterThan(70)
    expect(await send('GET', '/desk/codes', deskKey)).toMatchObject({ statusCode: 200 })
  })
})
