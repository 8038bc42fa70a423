// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { RecordingCheck } from '../../../../src/pages/order/proof/RecordingCheck.tsx'
import { sampleProof } from '../../../support/sampleProof.ts'
import { click, mount, one } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const replayed = sampleProof()
replayed.order.terms.source = `replay:${'a'.repeat(64)}:1000:1000`

/** Checks the prices while the venue answers with `answer`, with the focus on the button. */
async function check(answer: Response, focused: boolean) {
  vi.stubGlobal('fetch', async () => answer)
  await mount(<RecordingCheck proof={replayed} />)
  if (focused) await act(async () => one('button').focus())
  await click(one('button'))
  await act(async () => expect.poll(() => document.querySelector('output')).not.toBeNull())
}
const file = () => new Response('other', { headers: { 'content-type': 'application/gzip' } })

it('the focus goes from the button to the answer that takes its place', async () => {
  await check(file(), true)
  expect(document.querySelector('button')).toBeNull()
  expect(one('output').textContent).toContain('not the recording')
  expect(document.activeElement).toBe(one('output'))
})

it('the focus stays on the button where the check can be tried again', async () => {
  await check(new Response('', { status: 503 }), true)
  expect(document.activeElement).toBe(one('button'))
})

it('focus that is elsewhere stays there', async () => {
  await check(file(), false)
  expect(document.activeElement).toBe(document.body)
})
