import { useTranslation } from 'react-i18next'
import type { DepositMethod } from '../../../contract/deposits.ts'
import { Icon, Select, type IconName } from '../../ui/index.ts'
import styles from './Wallet.module.css'
import { methodName } from './walletLabels.ts'

const icons: Record<DepositMethod['kind'], IconName> = {
  practice: 'hand-coins',
  bank: 'bank',
  crypto: 'wallet',
}

export type MethodFieldProps = {
  methods: readonly DepositMethod[]
  method: DepositMethod
  onMethod: (id: string) => void
  locked: boolean
}

/** The deposit method; a select if there is more than one. */
export function MethodField({ methods, method, onMethod, locked }: MethodFieldProps) {
  const { t } = useTranslation()
  if (methods.length > 1) {
    return (
      <Select
        label={t('deposit.method')}
        options={methods.map((option) => ({
          value: option.id,
          label: methodName(t, option),
          disabled: locked && option !== method,
        }))}
        value={method.id}
        onValue={onMethod}
      />
    )
  }
  return (
    <div>
      <p className={styles.label}>{t('deposit.method')}</p>
      <div className={styles.method}>
        <Icon name={icons[method.kind]} size={24} />
        <span>{methodName(t, method)}</span>
      </div>
    </div>
  )
}
