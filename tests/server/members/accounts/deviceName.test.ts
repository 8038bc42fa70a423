import { describe, expect, it } from 'vitest'
import { deviceName } from '../../../../server/members/accounts/deviceName.ts'

describe('deviceName', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari, iOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge, Windows'],
    ['curl/8 (Linux)', 'Linux'],
    ['node', ''],
    [undefined, ''],
  ])('of %j is %j', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name)
  })
})
