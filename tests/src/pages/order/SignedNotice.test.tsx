// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import en from '../../../../locales/en.json' with { type: 'json' }
import { OrderRow } from '../../../../src/features/orders/OrderRow.tsx'
import { DeniedOrders } from '../../../../src/pages/order/DeniedOrders.tsx'
import { ReceiptNotice } from '../../../../src/pages/order/SignedNotice.tsx'
import { signedReceipt } from '../../../../src/proof/keptReceipt.ts'
import { createSigner, type LogSigner } from '../../../../server/market/publicLog/signer.ts'
import { openPage } from '../../../support/openPage.tsx'
import { logKeys } from '../../../support/sampleLog.ts'
import { signedProof } from '../../../support/sampleReceipt.ts'

const known = [{ key: logKeys.logKey, from: 'device' as const }]
const noEd25519 = () => Promise.reject(new Error('no such algorithm'))

/** All that is said of an order that differs from its receipt, and of one that is denied. */
async function said(verify?: typeof noEd25519, signer?: LogSigner): Promise<string> {
  const { receipt, order } = signedProof({}, signer)
  const kept = await signedReceipt(receipt, known, verify)
  if (!kept) throw new Error('no receipt')
  const { container } = await openPage(
    <>
      <ReceiptNotice kept={kept} />
      <ReceiptNotice kept={kept} differs={['amount']} />
      {signer && <ReceiptNotice kept={kept} differs={[]} />}
      <DeniedOrders missing={new Map([[order.id, kept]])} />
      <OrderRow order={order} product="A/USD" ring={false} changed={kept} />
    </>,
  )
  return container.textContent
}

it('says what the venue signed', async () => {
  const text = await said()
  for (const part of [en.order.signedDenied, en.order.signedTitle, en.orders.signedDiffers])
    expect(text).toContain(part)
  expect(text).not.toContain(en.order.receiptKept)
})

it('tells an order that is denied or changed also where the browser cannot check who signed its receipt', async () => {
  const text = await said(noEd25519)
  for (const part of [en.order.receiptDenied, en.order.receiptKept, en.orders.receiptDiffers])
    expect(text).toContain(part)
  expect(text).toContain(en.orders.receiptDenied_one.replace('{{count}}', '1'))
  expect(text.replaceAll(en.order.receiptKept, '')).not.toMatch(/sign/i)
})

it('tells an order whose receipt a key that is not the venue’s has signed, also while the venue shows it unchanged', async () => {
  const text = await said(undefined, createSigner(new Uint8Array(32).fill(99)))
  const told = [
    en.order.receiptNotSigned,
    en.proof.receiptKey.split('{{')[0],
    en.order.receiptDenied,
    en.orders.receiptDiffers,
  ]
  for (const part of told) expect(text).toContain(part)
  for (const part of [en.order.signedDenied, en.order.signedTitle, en.order.receiptKept])
    expect(text).not.toContain(part)
})
