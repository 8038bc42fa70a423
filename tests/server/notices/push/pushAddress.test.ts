import { expect, it } from 'vitest'
import {
  browserPushServices,
  guardedLookup,
  isPublicAddress,
  isPushAddress,
} from '../../../../server/notices/push/pushAddress.ts'

it.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://web.push.apple.com/QABC', true],
  ['https://jmt17.google.com/fcm/send/abc', true],
  ['https://wns2-by3p.notify.windows.com/w/?token=abc', true],
  ['https://FCM.googleapis.com:443/fcm/send/abc', true],
  ['https://push.own.example/send', true],
  ['https://a.push.own.example/send', true],
  ['https://own.example/send', false],
  ['https://victim.example/expensive?x=1', false],
  ['https://fcm.googleapis.com.victim.example/x', false],
  ['https://xfcm.googleapis.com/x', false],
  ['https://victim.example/fcm.googleapis.com', false],
  ['https://storage.googleapis.com/x', false],
  ['https://8.8.8.8/send', false],
  ['https://8.8.8.8:22/send', false],
  ['https://[2606:4700::1111]/send', false],
  ['https://[2606:4700::1111]:6379/send', false],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/fcm/send/abc', false],
  ['https://user@fcm.googleapis.com/', false],
  ['https://:secret@fcm.googleapis.com/', false],
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
  expect(isPushAddress(address, [...browserPushServices, 'push.own.example'])).toBe(allowed)
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

it.each([
  ['8.8.8.8', false],
  ['93.184.216.34', false],
  ['10.1.2.3', true],
  ['169.254.169.254', true],
  ['2606:4700::1111', false],
  ['::ffff:10.0.0.1', true],
  ['64:ff9b::a00:1', true],
  ['2002:a00:1::', true],
  ['fd00::1', true],
])('the address %s is the venue’s own network or of special use: %s', (address, isClosed) => {
  expect(isPublicAddress(address)).toBe(!isClosed)
})
