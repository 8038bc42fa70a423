import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Icon, TextLink } from '../../ui/index.ts'
import type { PasskeyChoice } from './usePasskeyChoice.ts'
import styles from './TransactionPasswordField.module.css'

type Props = Pick<
  ComponentProps<typeof Field>,
  'name' | 'value' | 'error' | 'onChange' | 'onBlur' | 'readOnly'
> & {
  /** Whether the member confirms with a passkey instead; undefined without one. */
  choice: PasskeyChoice | undefined
}

/** Asks for the transaction password, or says that a passkey is asked for when the member confirms. */
export function TransactionPasswordField({ choice, ...props }: Props) {
  const { t } = useTranslation()
  if (choice?.isPasskey === true) {
    return (
      <p className={styles.byPasskey}>
        <Icon name="fingerprint" size={20} />
        <span>{t('security.byPasskey')}</span>
        {props.readOnly !== true && (
          <TextLink onClick={() => choice.setPasskey(false)}>{t('security.usePassword')}</TextLink>
        )}
      </p>
    )
  }
  return (
    <Field
      {...props}
      type="password"
      label={t('withdraw.password')}
      labelEnd={
        choice && <TextLink onClick={() => choice.setPasskey(true)}>{t('security.usePasskey')}</TextLink>
      }
      inputMode="numeric"
      maxLength={6}
      autoComplete="off"
      reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
    />
  )
}
