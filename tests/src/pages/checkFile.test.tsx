// @vitest-environment happy-dom
import { act } from 'react'
import { beforeAll, expect, it } from 'vitest'
import { changeLanguage, startI18n } from '../../../src/i18n.ts'
import { CheckFile } from '../../../src/pages/check/CheckFile.tsx'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { sampleProof } from '../../support/sampleProof.ts'
import { mount, one, pollScreen } from '../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

type ProofJson = { order: Record<string, unknown>; ticks: [number, number, string, string][] }

/** The text of an exported proof, after a change. */
function exported(change: (proof: ProofJson) => void = () => undefined): string {
  const file = proofFile({ proof: sampleProof(), heads: [], agreed: null, savedAt: 1 })
  const proof = JSON.parse(JSON.stringify(file)) as ProofJson
  change(proof)
  return JSON.stringify(proof)
}

async function choose(text: string): Promise<void> {
  const input = one('input')
  Object.defineProperty(input, 'files', { value: [new File([text], 'proof.json')], configurable: true })
  await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })))
}

it.each([
  ['The result follows from the file.', exported()],
  ['The result doesn’t follow from the file.', exported(({ ticks }) => void (ticks[4]![2] = '12.34'))],
  ['The result doesn’t follow from the file.', exported(({ order }) => void (order['payout'] = '999.00'))],
  ['This order has no result yet.', exported(({ order }) => void (order['settledAt'] = null))],
  ['proof.json isn’t a proof file from this app.', '{"a": 1'],
  ['the field “order.amount” is missing', exported(({ order }) => void delete order['amount'])],
])('says "%s"', async (expected, text) => {
  await mount(<CheckFile />)
  await choose(text)
  await pollScreen(() => document.body.textContent).toContain(expected)
})

it('shows the order, and each step with what it was compared with', async () => {
  await mount(<CheckFile />)
  await choose(exported(({ ticks }) => void (ticks[4]![2] = '12.34')))
  await pollScreen(() => document.querySelectorAll('[aria-expanded]').length).toBe(9)
  expect(one('dl').textContent).toContain(sampleProof().order.no)
  expect(document.querySelector('[aria-expanded="true"]')?.textContent).toContain('hash')
})

it('checks the file that was chosen last', async () => {
  await mount(<CheckFile />)
  await choose(exported(({ order }) => void (order['payout'] = '999.00')))
  await choose(exported())
  await pollScreen(() => document.body.textContent).toContain('The result follows from the file.')
})
