// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { RequestSubmitted } from '../../../src/pages/password/Password.tsx'
import type { Message } from '../../../streams/index.ts'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { one } from '../ui/mount.tsx'

const messageOf = (id: string, more: Partial<Message>): Message => ({
  id,
  category: 'account',
  key: 'passwordRequestFailed',
  params: { kind: 'login', reason: 'call us' },
  title: null,
  body: null,
  lang: null,
  at: epochMs(1_000_000),
  read: false,
  link: null,
  ...more,
})

it.each([
  ['passwordRequestFailed', { kind: 'login', reason: 'call us' }, 'Password request declined'],
  ['loginPasswordChanged', {}, 'Password changed'],
  ['passwordRequestFailed', { kind: 'transaction', reason: 'call us' }, 'Under Review'],
  ['transactionPasswordChanged', {}, 'Under Review'],
] as const)('a request under review follows the message %s %o: %s', async (key, params, title) => {
  const older = messageOf('older', {})
  const { streams, transport } = streamsSetup(['A'], {
    messages: async () => ({ items: [older], nextCursor: null }),
  })
  await act(async () => transport.up())
  await openPage(<RequestSubmitted kind="login" already={false} />, { streams })
  expect(one('h2').textContent).toBe('Under Review')
  await act(async () => transport.event('message', messageOf('answer', { key, params })))
  expect(one('h2').textContent).toBe(title)
  streams.close()
})
