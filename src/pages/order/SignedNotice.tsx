import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { SignedField } from '../../../contract/receipt.ts'
import type { Order } from '../../../streams/index.ts'
import { fieldsText } from '../../features/orders/orderLabels.ts'
import { durationText } from '../../features/orders/duration.ts'
import { changedFields, useKeptReceipt } from '../../features/orders/signedOrder.ts'
import type { KeptReceipt } from '../../proof/keptReceipt.ts'
import { receiptText } from '../../features/proof/receiptLine.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { Button, Icon, KeyValues } from '../../ui/index.ts'
import styles from './SignedNotice.module.css'
import { useProduct } from './useProduct.ts'

/** Says so if the venue shows an order differently from the receipt that this device keeps, or has not signed that. */
export function SignedNotice({ order }: { order: Order }) {
  const kept = useKeptReceipt(order.id)
  if (!kept) return null
  const fields = changedFields(kept.receipt, order)
  return fields.length > 0 || isUnsigned(kept) ? <ReceiptNotice kept={kept} differs={fields} /> : null
}

/** An order that the venue says does not exist: its receipt, or `children` if this device keeps none. */
export function DeniedOrder({ id, children }: { id: string; children: ReactNode }) {
  const kept = useKeptReceipt(id)
  if (kept === undefined) return null
  return kept === null ? children : <ReceiptNotice kept={kept} />
}

type ReceiptNoticeProps = {
  kept: KeptReceipt
  /** The fields in which the order differs from it; left out if the venue denies the order. Empty if only its signature is wrong. */
  differs?: readonly SignedField[]
}

/**
 * It is signed with a key that is not the venue's, or not signed. This is more than a browser that cannot check
 * signatures.
 */
const isUnsigned = ({ signed }: KeptReceipt): boolean => !signed.ok || signed.signed === 'other'

/** The receipt of an order, as this device keeps it. "Signed" is only said if this browser has checked that the venue did. */
export function ReceiptNotice({ kept, differs }: ReceiptNoticeProps) {
  const { text, receipt, signed, isVerified } = kept
  const { t } = useTranslation()
  const format = useFormat()
  const product = useProduct(receipt.productId)
  const items = [
    { key: 'no', label: t('order.number'), value: receipt.no },
    {
      key: 'order',
      label: t('checkFile.order'),
      value: t('order.story', {
        product: product?.code ?? receipt.productId,
        direction: t(receipt.direction === 'up' ? 'order.upInline' : 'order.downInline'),
        amount: format.money(receipt.amount),
      }),
    },
    { key: 'held', label: t('order.held'), value: durationText(t, receipt.seconds) },
    { key: 'rate', label: t('order.rate'), value: format.rate(receipt.rateBp) },
    { key: 'accepted', label: t('order.accepted'), value: format.dateTime(receipt.acceptedAt) },
    { key: 'closes', label: t('order.closes'), value: format.dateTime(receipt.closeAt) },
  ]
  const download = () =>
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), `receipt-${receipt.no}.txt`)
  return (
    <section className={styles.signed}>
      <p className={styles.wrong} role="alert">
        <Icon name="warning-circle-fill" size={20} />
        {alertText(kept, differs, { t, format })}
      </p>
      <h2>{t(isVerified ? 'order.signedTitle' : 'order.receiptTitle')}</h2>
      <KeyValues items={items} />
      <p className={styles.by}>
        {isVerified || isUnsigned(kept) ? receiptText(signed, { t, format }) : t('order.receiptKept')}
      </p>
      <Button variant="secondary" block icon="download-simple" onClick={download}>
        {t('order.signedDownload')}
      </Button>
    </section>
  )
}

function alertText(
  { isVerified }: KeptReceipt,
  differs: readonly SignedField[] | undefined,
  { t, format }: { t: TFunction; format: Format },
): string {
  if (differs === undefined) return t(isVerified ? 'order.signedDenied' : 'order.receiptDenied')
  if (differs.length === 0) return t('order.receiptNotSigned')
  const fields = fieldsText(t, format, differs)
  return t(isVerified ? 'order.signedDiffers' : 'order.receiptDiffers', { fields })
}
