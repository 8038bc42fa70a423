import { expect, it } from 'vitest'
import { guardedLookup, isPublicAddress, isPushAddress } from '../../../server/push/pushAddress.ts'

it.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://web.push.apple.com/QABC', true],
  ['https://8.8.8.8/send', true],
  ['https://[2606:4700::1111]/send', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/fcm/send/abc', false],
  ['https://user@fcm.googleapis.com/', false],
  ['https://localhost/send', false],
  ['https://push.localhost/send', false],
  ['https://printer.local/send', false],
  ['https://metadata.google.internal/send', false],
  ['https://database/send', false],
  ['https://127.0.0.1/send', false],
  ['https://2130706433/send', false],
  ['https://0x7f.1/send', false],
  ['https://10.1.2.3/send', false],
  ['https://172.20.0.1/send', false],
  ['https://192.168.1.1/send', false],
  ['https://169.254.169.254/latest', false],
  ['https://100.100.0.1/send', false],
  ['https://0.0.0.0/send', false],
  ['https://239.1.1.1/send', false],
  ['https://[::1]/send', false],
  ['https://[::ffff:10.0.0.1]/send', false],
  ['https://[64:ff9b::a00:1]/send', false],
  ['https://[2002:a00:1::]/send', false],
  ['https://[fd00::1]/send', false],
  ['https://[fe80::1]/send', false],
  ['https://fcm.googleapis.com.', false],
  ['nonsense', false],
])('a subscription at %s is allowed: %s', (address, allowed) => {
  expect(isPushAddress(address, isPublicAddress)).toBe(allowed)
})

const resolve = (name: string, all: boolean, allows = isPublicAddress) =>
  new Promise((done) => {
    guardedLookup(allows)(name, { all }, (error, address) => done(error ? error.message : address))
  })

it('resolves no name to an address of the venue’s own network', async () => {
  expect(await resolve('localhost', true)).toBe('localhost has no address that messages may be sent to')
  expect(await resolve('localhost', false)).toBe('localhost has no address that messages may be sent to')
})

it('resolves a name to its allowed addresses', async () => {
  const isLocal = (address: string): boolean => address === '127.0.0.1' || address === '::1'
  expect(['127.0.0.1', '::1']).toContain(await resolve('localhost', false, isLocal))
  expect(await resolve('localhost', true, (address) => address === '127.0.0.1')).toEqual([
    { address: '127.0.0.1', family: 4 },
  ])
})
