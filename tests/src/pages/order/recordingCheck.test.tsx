// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { RecordingCheck } from '../../../../src/pages/order/proof/RecordingCheck.tsx'
import { sampleProof } from '../../../support/sampleProof.ts'
import { click, mount, one, pollScreen } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const replayed = sampleProof()
replayed.order.terms.source = `replay:${'a'.repeat(64)}:1000:1000`

/** Runs the price check against `answer`, with the focus on the button if `isFocused`. */
async function check(answer: Response, isFocused: boolean) {
  vi.stubGlobal('fetch', async () => answer)
  await mount(<RecordingCheck proof={replayed} />)
  if (isFocused) await act(async () => one('button').focus())
  await click(one('button'))
  await pollScreen(() => document.querySelector('output')).not.toBeNull()
}
const file = () => new Response('other', { headers: { 'content-type': 'application/gzip' } })

it('moves the focus from the button to the answer that replaces it', async () => {
  await check(file(), true)
  expect(document.querySelector('button')).toBeNull()
  expect(one('output').textContent).toContain('isn’t the recording')
  expect(document.activeElement).toBe(one('output'))
})

it('leaves the focus on the button if the check can be retried', async () => {
  await check(new Response('', { status: 503 }), true)
  expect(document.activeElement).toBe(one('button'))
})

it('leaves the focus elsewhere unchanged', async () => {
  await check(file(), false)
  expect(document.activeElement).toBe(document.body)
})
