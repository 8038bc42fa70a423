import { describe, expect, it } from 'vitest'
import { exceedsDepth } from '../../../../server/platform/http/jsonDepth.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const member = await venue.createMember()

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

it.each([
  ['', false],
  ['1', false],
  [lists(16), false],
  [lists(17), true],
  [objects(16), false],
  [objects(17), true],
  [`[${lists(15)},${lists(15)},${objects(15)}]`, false],
  [`{"a":[${objects(15)}]}`, true],
  [JSON.stringify({ a: '[{'.repeat(40) }), false],
  [JSON.stringify({ a: '\\"[[[[[[[[[[[[[[[[[[["\\' }), false],
  [`["\\"",${lists(16)}]`, true],
])('exceedsDepth(%j, 16) is %j', (json, isDeeper) => expect(exceedsDepth(json, 16)).toBe(isDeeper))

describe('the JSON parser', () => {
  it.each(['/api/orders', '/api/practice/reset', '/api/auth/login', '/api/auth/logout'])(
    'rejects a deeply nested body at %s',
    async (url) => {
      for (const payload of [`{"a":${lists(15_000)}}`, objects(9_000), objects(17)]) {
        const answer = await venue.app.inject({
          method: 'POST',
          url,
          payload,
          headers: {
            'content-type': 'application/json',
            cookie: `sid=${member.sid}`,
            'x-csrf-token': member.token,
            'idempotency-key': venue.random.uuid(),
          },
        })
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toEqual({ error: { code: 'VALIDATION', requestId: expect.any(String) } })
      }
    },
  )
})
