import { officeRoutes } from '../../../contract/office/routes.ts'
import { isFinal, type Order } from '../../../contract/orders.ts'
import { productRoutes } from '../../../contract/products.ts'
import { answerOf } from '../../../src/api/result.ts'
import { checkProof, proofSteps, type ProofReport } from '../../../src/proof/check.ts'
import { pause } from '../../../src/proof/pause.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { Icon } from '../../../src/ui/Icon.tsx'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import { call, publicCall } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import styles from './OrderProof.module.css'
import { useRead } from '../../data/useOfficeCall.ts'

/** Fetches an order's proof and computes its result again, in this browser. */
async function checkOrder(id: string): Promise<ProofReport> {
  const first = await answerOf(call(officeRoutes.orders.proof, { params: { id } }))
  const whole = await answerOf(
    collectProof(first, (productId, afterSeq, limit) =>
      publicCall(productRoutes.ticks, {
        params: { id: productId },
        query: { afterSeq: String(afterSeq), limit: String(limit) },
      }),
    ),
  )
  return checkProof(whole, { agreed: null, heads: [] }, pause)
}

/** The receipt is the venue's word to its member: to the venue's own people it shows nothing. */
const steps = proofSteps.filter((step) => step !== 'receipt')

/** An order and its proof, recomputed here, so that an answer to a complaint does not depend on the venue. */
export function OrderProof({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useTexts()
  const format = useOfficeFormat()
  const isDone = isFinal(order.status)
  const { data, failure, isReading } = useRead(
    ['proof', order.id, order.version],
    () => checkOrder(order.id),
    {
      enabled: isDone,
      isFinal: true,
    },
  )
  const { exit } = order
  return (
    <Block
      title={order.no}
      tools={<IconButton icon="x" size={18} label={t('action.close')} onClick={onClose} />}
    >
      <Facts
        items={[
          { label: t('order.product'), value: order.productId },
          { label: t('order.direction'), value: t(`order.directions.${order.direction}`) },
          { label: t('column.amount'), value: <Money value={order.amount} /> },
          { label: t('order.rate'), value: format.rate(order.rateBp) },
          { label: t('order.acceptedAt'), value: <When at={order.acceptedAt} /> },
          { label: t('order.closeAt'), value: <When at={order.closeAt} /> },
          order.entry !== null && { label: t('order.entry'), value: order.entry.price },
          exit !== null && { label: t('order.exit'), value: 'price' in exit ? exit.price : exit.value },
          { label: t('column.status'), value: t(`order.status.${order.status}`) },
          order.reason !== null && { label: t('column.reason'), value: order.reason },
          { label: t('order.payout'), value: <Money value={order.payout} /> },
          { label: t('order.pnl'), value: <Money value={order.pnl} signed /> },
        ]}
      />
      <h3 className={styles.title}>{t('proof.title')}</h3>
      <FailureLine failure={failure} />
      {!isDone && <p>{t('proof.later')}</p>}
      {isReading && <p>{t('proof.checking')}</p>}
      {data !== undefined && (
        <ul className={styles.steps}>
          {steps.map((step) => (
            <li key={step} className={styles.step}>
              <Icon
                name={data[step].ok ? 'check-circle-fill' : 'warning-circle-fill'}
                size={16}
                label={t(data[step].ok ? 'proof.right' : 'proof.wrong')}
              />
              {t(`proof.${step}`)}
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}
