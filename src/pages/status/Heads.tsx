import { useTranslation } from 'react-i18next'
import type { ProductReport } from '../../../contract/status.ts'
import { CopyNumber } from '../../features/copy/CopyNumber.tsx'
import { shortHash } from '../../features/proof/shortHash.ts'
import { KeyValues, Section } from '../../ui/index.ts'
import styles from './Status.module.css'

/** The newest tick of each product with its hash, for comparison with what another device received. */
export function Heads({ products }: { products: readonly ProductReport[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.log}>
      <Section title={t('status.heads')}>
        <KeyValues
          items={products.map(({ id, code, head }) => ({
            key: id,
            label: code,
            value: (
              <CopyNumber
                text={`${head.seq} ${head.hash}`}
                shown={`#${head.seq} · ${shortHash(head.hash)}`}
                label={`${code}, ${t('status.head')}`}
              />
            ),
          }))}
        />
      </Section>
    </div>
  )
}
