import { expect, it } from 'vitest'
import { relyingPartyOf } from '../../../../server/platform/http/relyingParty.ts'

it.each([
  [null, 'localhost:8080', false, { id: 'localhost', origin: 'http://localhost:8080' }],
  [null, 'localhost', true, { id: 'localhost', origin: 'https://localhost' }],
  // No browser has passkeys for an address without a name.
  [null, '127.0.0.1:8080', false, null],
  [null, '[::1]:8080', false, null],
  // Without PUBLIC_URL the host is whatever the caller wrote.
  [null, 'trade.example', true, null],
  [null, undefined, false, null],
  [
    'https://trade.example',
    'localhost:8080',
    false,
    { id: 'trade.example', origin: 'https://trade.example' },
  ],
  ['https://trade.example:8443', 'x', true, { id: 'trade.example', origin: 'https://trade.example:8443' }],
  ['http://localhost:8080', 'x', false, { id: 'localhost', origin: 'http://localhost:8080' }],
  // Browsers have no passkeys on pages without HTTPS.
  ['http://trade.example', 'trade.example', false, null],
  ['https://192.0.2.7', '192.0.2.7', true, null],
] as const)('finds the relying party of %s and host %s', (publicUrl, host, isSecure, party) => {
  expect(relyingPartyOf(publicUrl, host, isSecure)).toEqual(party)
})
