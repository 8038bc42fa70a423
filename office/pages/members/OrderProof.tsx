import { useQuery } from '@tanstack/react-query'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../contract/orders.ts'
import { productRoutes } from '../../../contract/products.ts'
import { answerOf } from '../../../src/api/result.ts'
import { checkProof, proofSteps } from '../../../src/proof/check.ts'
import type { ProofReport } from '../../../src/proof/check.ts'
import { pause } from '../../../src/proof/pause.ts'
import { collectProof } from '../../../src/proof/collect.ts'
import { Icon } from '../../../src/ui/Icon.tsx'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import type { Failure } from '../../../streams/index.ts'
import { call, publicCall } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import styles from './OrderProof.module.css'

/** Fetches an order's proof and computes its result again, in this browser. */
async function checkOrder(id: string): Promise<ProofReport> {
  const first = await answerOf(call(backOfficeRoutes.orders.proof, { params: { id } }))
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

/** An order and its proof, recomputed here: an answer to a complaint needs nobody's word. */
export function OrderProof({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useTexts()
  const format = useOfficeFormat()
  const isDone = isFinal(order.status)
  const check = useQuery({
    queryKey: ['proof', order.id, order.version],
    queryFn: () => checkOrder(order.id),
    enabled: isDone,
    staleTime: Number.POSITIVE_INFINITY,
  })
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
      <FailureLine failure={(check.error ?? undefined) as Failure | undefined} />
      {!isDone && <p>{t('proof.later')}</p>}
      {check.isFetching && <p>{t('proof.checking')}</p>}
      {check.data !== undefined && (
        <ul className={styles.steps}>
          {proofSteps.map((step) => (
            <li key={step} className={styles.step}>
              <Icon
                name={check.data[step].ok ? 'check-circle-fill' : 'warning-circle-fill'}
                size={16}
                label={t(check.data[step].ok ? 'proof.right' : 'proof.wrong')}
              />
              {t(`proof.${step}`)}
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}
