import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { ProductReport, ProductState } from '../../../contract/status.ts'
import { productName } from '../../features/market/productDisplay.ts'
import { namedSource } from '../../features/market/source.ts'
import type { Format } from '../../text/format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { Badge, KeyValues, type BadgeKind, type IconName, type KeyValue } from '../../ui/index.ts'
import { GapList } from './GapList.tsx'
import { Outcomes } from './Outcomes.tsx'
import styles from './ProductStatus.module.css'

const badges: Record<ProductState, { kind: BadgeKind; icon?: IconName }> = {
  open: { kind: 'success' },
  paused: { kind: 'warn', icon: 'warning-circle' },
  maintenance: { kind: 'plain', icon: 'wrench' },
  closed: { kind: 'plain' },
}

/** One product: its state, where its prices come from, its gaps and how its orders ended. */
export function ProductStatus({ product, at }: { product: ProductReport; at: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const id = useId()
  const { state, code, sources } = product
  const replaced = sources.slice(0, -1)
  return (
    <section aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.name}>
          {productName(product, language)} <span className={styles.code}>{code}</span>
        </h2>
        <Badge {...badges[state]}>
          {state === 'paused' ? t('status.paused') : t(`product.status.${state}`)}
        </Badge>
      </div>
      <KeyValues items={sourceOf(product, { t, format })} />
      {replaced.length > 0 && (
        <ul className={styles.replaced}>
          {[...replaced].reverse().map(({ sinceAt, text }) => (
            <li key={sinceAt}>
              {t('proof.sourceSince', {
                source: namedSource(text, { t, format }),
                time: format.dateTimeShort(sinceAt),
              })}
            </li>
          ))}
        </ul>
      )}
      <KeyValues items={witnessOf(product, t)} />
      <GapList product={product} at={at} />
      <Outcomes outcomes={product.outcomes} />
    </section>
  )
}

function sourceOf({ sources }: ProductReport, { t, format }: { t: TFunction; format: Format }): KeyValue[] {
  const source = sources.at(-1)
  if (source === undefined) return []
  return [
    { key: 'source', label: t('proof.source'), value: namedSource(source.text, { t, format }) },
    { key: 'since', label: t('status.since'), value: format.dateTimeShort(source.sinceAt) },
  ]
}

function witnessOf({ witness }: ProductReport, t: TFunction): KeyValue[] {
  if (!witness) return []
  const verdict = t(`status.verdict.${witness.verdict}`)
  return [
    { key: 'witness', label: t('status.witness'), value: `${witness.id.replace(/^.*~/, '')} · ${verdict}` },
  ]
}
