import { expect, it } from 'vitest'
import { supportIn, type PushEnvironment } from '../../../../src/features/alerts/devicePush.ts'

const able: PushEnvironment = {
  isSecure: true,
  isApplePhone: false,
  isInstalled: false,
  hasApis: true,
  permission: 'default',
}

it.each<[Partial<PushEnvironment>, string]>([
  [{}, 'ready'],
  [{ permission: 'granted' }, 'ready'],
  [{ permission: 'denied' }, 'denied'],
  [{ hasApis: false, permission: undefined }, 'unsupported'],
  [{ isSecure: false, hasApis: false }, 'insecure'],
  [{ isApplePhone: true, hasApis: false }, 'notInstalled'],
  [{ isApplePhone: true, isInstalled: true }, 'ready'],
  [{ isApplePhone: true, isInstalled: true, hasApis: false }, 'unsupported'],
])('with %j the support is %s', (change, support) => {
  expect(supportIn({ ...able, ...change })).toBe(support)
})
