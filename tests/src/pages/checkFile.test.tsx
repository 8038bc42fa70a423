// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import en from '../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { CheckFile } from '../../../src/pages/check/CheckFile.tsx'
import type { CheckingDevice } from '../../../src/pages/check/checkProofFile.ts'
import { proofFile } from '../../../src/proof/proofFile.ts'
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { session } from '../../../src/state/session.ts'
import { writeLogMemory } from '../../../src/state/logMemory.ts'
import { createSigner } from '../../../server/market/publicLog/signer.ts'
import { cosigned, logKeys, logOf } from '../../support/sampleLog.ts'
import { account, signedProof } from '../../support/sampleReceipt.ts'
import { acceptedAt, sampleProof } from '../../support/sampleProof.ts'
import { mount, one, pollScreen } from '../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

type ProofJson = { order: Record<string, unknown>; ticks: [number, number, string, string][] }

/** The text of an exported proof, after a change. */
function exported(
  change: (proof: ProofJson) => void = () => undefined,
  of: CompleteProof = sampleProof(),
): string {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = of.order
  const agreed = { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
  const heads = [{ ...of.after!, watermark: 1_029_000, seenAt: 1_029_000, from: 'feed' as const }]
  const file = proofFile({ proof: of, heads, agreed, savedAt: 1 })
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
  ['The result matches the file.', exported()],
  ['The result doesn’t match the file.', exported(({ ticks }) => void (ticks[4]![2] = '12.34'))],
  ['The result doesn’t match the file.', exported(({ order }) => void (order['payout'] = '999.00'))],
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
  await pollScreen(() => document.querySelectorAll('[aria-expanded]').length).toBe(10)
  expect(one('dl').textContent).toContain(sampleProof().order.no)
  expect(document.querySelector('[aria-expanded="true"]')?.textContent).toContain('hash')
})

it('checks the file that was chosen last', async () => {
  await mount(<CheckFile />)
  await choose(exported(({ order }) => void (order['payout'] = '999.00')))
  await choose(exported())
  await pollScreen(() => document.body.textContent).toContain('The result matches the file.')
})

afterEach(() => (session.appInfo = null))

/** What only the device that placed an order may say. */
function expectNoClaimOfThisDevice(): void {
  const text = document.body.textContent ?? ''
  for (const claim of [en.proof.agreed, en.proof.agreedOk, 'on this device', en.checkFile.own])
    expect(text).not.toContain(claim)
}

it('says of an edited file without a signature only that it is consistent', async () => {
  await mount(<CheckFile />)
  // Amount, payout and result of a boaster, in every place of the file.
  await choose(exported(undefined, sampleProof({ amount: '99.00' })))
  await pollScreen(() => document.body.textContent).toContain('The result matches the file.')
  expect(document.body.textContent).toContain(en.proof.receiptNone)
  expect(document.body.textContent).toContain(en.checkFile.pricesUnsigned)
  expect(document.body.textContent).toContain(en.proof.agreedFile)
  expect(document.body.textContent).toContain('1 checkpoint in the file matches')
  expectNoClaimOfThisDevice()
})

it.each([
  [
    'the venue, whose key this device knows',
    undefined,
    `Signed by Uptick. This device knows the key from the public log: venue.test/log/1+`,
  ],
  [
    'a key that is not the venue’s',
    createSigner(new Uint8Array(32).fill(99)),
    'Signed with a key that isn’t Uptick’s: venue.test/log/1+',
  ],
])('says that an order is signed by %s', async (_name, signer, expected) => {
  writeLogMemory({ newest: { note: '', logKey: logKeys.logKey }, alarm: null })
  await mount(<CheckFile />)
  await choose(exported(undefined, signedProof({}, signer)))
  await pollScreen(() => document.body.textContent).toContain('The result matches the file.')
  expect(document.body.textContent).toContain(expected)
  expect(document.body.textContent).not.toContain(en.proof.gapsUnsigned)
  expectNoClaimOfThisDevice()
})

it('says of a file with a gap that nobody signs it', async () => {
  await mount(<CheckFile />)
  await choose(exported(undefined, sampleProof({}, [{ from: acceptedAt + 100, to: acceptedAt + 20_000 }])))
  await pollScreen(() => document.body.textContent).toContain('The result matches the file.')
  expect(document.body.textContent).toContain(en.proof.gapsUnsigned)
})

it('says of prices whether they are in the public log, apart from who signed the order', async () => {
  session.appInfo = logKeys as typeof session.appInfo
  writeLogMemory({ newest: { note: '', logKey: logKeys.logKey }, alarm: null })
  await mount(<CheckFile />)
  const { receipt } = signedProof()
  await choose(exported(undefined, { ...sampleProof(), receipt }))
  await pollScreen(() => document.body.textContent).toContain(en.checkFile.pricesUnsigned)
  expect(document.body.textContent).toContain('Signed by Uptick.')
  await choose(exported(undefined, { ...sampleProof(), receipt, log: cosigned(logOf()) }))
  await pollScreen(() => document.body.textContent).toContain(en.checkFile.pricesLogged)
})

it('does not say of made-up prices that they are in the public log, although the file has its leaf', async () => {
  session.appInfo = logKeys as typeof session.appInfo
  await mount(<CheckFile />)
  const logged = { ...signedProof(), log: cosigned(logOf()) }
  await choose(exported(({ ticks }) => void (ticks[4]![2] = '12.34'), logged))
  await pollScreen(() => document.body.textContent).toContain(en.checkFile.fails)
  expect(document.body.textContent).not.toContain(en.checkFile.pricesLogged)
})

it('shows what differs from what was signed', async () => {
  writeLogMemory({ newest: { note: '', logKey: logKeys.logKey }, alarm: null })
  await mount(<CheckFile />)
  const { receipt } = signedProof()
  await choose(exported(undefined, { ...sampleProof({ amount: '99.00' }), receipt }))
  await pollScreen(() => document.body.textContent).toContain('Differs from what was signed: Amount')
  expect(document.body.textContent).toContain('The result doesn’t match the file.')
  expectNoClaimOfThisDevice()
})

it('explains a failed file of the member’s own order with what this device kept, and does not call it that order', async () => {
  const { order, receipt } = signedProof()
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = order
  const agreed = { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
  const device: CheckingDevice = {
    evidenceOf: async () => ({ agreed, heads: [], receipt: { text: receipt, salt: account.salt } }),
    receiptEvidenceOf: (kept) => ({ kept: kept?.text, keys: [{ key: logKeys.logKey, from: 'device' }] }),
    logKeys: () => logKeys,
  }
  await mount(<CheckFile device={device} />)
  await choose(exported(undefined, sampleProof({ amount: '99.00' })))
  await pollScreen(() => document.body.textContent).toContain(en.checkFile.fails)
  expect(document.body.textContent).toContain(en.proof.agreedDiffers.replace('{{fields}}', 'Amount'))
  expect(document.body.textContent).not.toContain(en.proof.agreedFile)
  expect(document.body.textContent).not.toContain(en.checkFile.own)
})

it('refuses a file of more than 16 MB, and a path of more than 64 hashes', async () => {
  await mount(<CheckFile />)
  await choose(`${exported()}${' '.repeat(16_000_000)}`)
  await pollScreen(() => document.body.textContent).toContain('proof.json is larger than 16 MB.')
  const log = { leaf: '', index: 0, path: Array(65).fill('') as string[], checkpoint: '' }
  await choose(exported(undefined, { ...sampleProof(), log }))
  await pollScreen(() => document.body.textContent).toContain('more than 64 hashes')
})
