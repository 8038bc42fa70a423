import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/index.ts'

type Props = Pick<
  ComponentProps<typeof Field>,
  'name' | 'value' | 'error' | 'onChange' | 'onBlur' | 'readOnly'
>

/** Asks for the transaction password. */
export function TransactionPasswordField(props: Props) {
  const { t } = useTranslation()
  return (
    <Field
      {...props}
      type="password"
      label={t('withdraw.password')}
      inputMode="numeric"
      maxLength={6}
      autoComplete="off"
      reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
    />
  )
}
