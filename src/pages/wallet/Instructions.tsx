import { useTranslation } from 'react-i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import { Card, KeyValues } from '../../ui/index.ts'
import { CopyNumber } from '../../features/copy/CopyNumber.tsx'
import styles from './Wallet.module.css'

/** Where to send the money, line by line as the operator wrote it, and what happens next. */
export function Instructions({ method }: { method: DepositMethod }) {
  const { t } = useTranslation()
  return (
    <Card outlined padded>
      <h2 className={styles.cardTitle}>{t('deposit.sendTo')}</h2>
      <KeyValues
        items={Object.entries(method.instructions).map(([label, text]) => ({
          key: label,
          label,
          value: <CopyNumber text={text} label={label} />,
        }))}
      />
      <p className={styles.note}>{t('deposit.afterwards')}</p>
    </Card>
  )
}
