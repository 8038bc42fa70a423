import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import {
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import { fieldText } from '../../api/failureText.ts'
import { errorCodeOf } from '../../api/result.ts'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { useRestNotice } from '../../features/account/useRestNotice.ts'
import { useStrengthText } from '../../features/passwords/useStrengthText.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo, navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { CodeField, Field, TextLink, toast } from '../../ui/index.ts'
import { FormPage } from './FormPage.tsx'
import styles from './FormPage.module.css'

/** `needsFirstCode`: two persons approved, and the first one read a code to the member. */
type RecoveryLink = { code: string; kind: PasswordKind; needsFirstCode: boolean }

/** Sets a new password with the code of the link that customer service handed over. */
export function RecoverNewPassword(link: RecoveryLink) {
  const { kind, needsFirstCode } = link
  const { t } = useTranslation()
  const { fields, send, busy, problem, isOver } = useNewPassword(link)
  const withRest = useRestNotice()
  const isLogin = kind === 'login'
  const strength = useStrengthText(isLogin ? fields.texts.newPassword : '', [])
  const shared = {
    type: 'password',
    reveal: { show: t('common.showPassword'), hide: t('common.hidePassword') },
    ...(isLogin
      ? ({ autoComplete: 'new-password' } as const)
      : ({ inputMode: 'numeric', maxLength: 6, autoComplete: 'off' } as const)),
  } as const
  return (
    <FormPage
      title={t('title.recover')}
      backTo={paths.login}
      submitLabel={t('password.submitDirect')}
      busy={busy}
      problem={problem}
      onSubmit={send}
      foot={
        isOver ? <TextLink href={hrefTo(paths.recover, { kind })}>{t('recover.submit')}</TextLink> : undefined
      }
    >
      <p className={styles.lead}>{withRest(t('recover.newLead'))}</p>
      {needsFirstCode && (
        <CodeField
          {...fields.bindValue('firstCode')}
          label={t('recover.firstCode')}
          hint={t('recover.firstCodeHint')}
          inputMode="numeric"
          maxLength={16}
        />
      )}
      <Field
        {...fields.bind('newPassword')}
        {...shared}
        label={t(isLogin ? 'password.new' : 'password.newTransaction')}
        hint={strength ?? t(isLogin ? 'password.loginHint' : 'password.transactionHint')}
        hintRoom={t(isLogin ? 'password.loginHint' : 'password.transactionHint')}
      />
      <Field
        {...fields.bind('confirmPassword')}
        {...shared}
        label={t(isLogin ? 'password.confirm' : 'password.confirmTransaction')}
      />
    </FormPage>
  )
}

/** Each wrong code counts: one that was not typed in full is not sent. */
const firstCodeDigits = 8
const digitsOf = (code: string): string => code.replaceAll(/\D/g, '')

function useNewPassword({ code, kind, needsFirstCode }: RecoveryLink) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const rule = kind === 'login' ? passwordRule : transactionPasswordRule
  const match = kind === 'login' ? passwordsMatch : transactionPasswordsMatch
  const fields = useFields(
    { firstCode: '', newPassword: '', confirmPassword: '' },
    {
      firstCode: ({ firstCode }) =>
        needsFirstCode && digitsOf(firstCode).length !== firstCodeDigits
          ? t('recover.firstCodeHint')
          : undefined,
      newPassword: ({ newPassword }) => fieldText(t, format, rule(newPassword), t('password.enterNew')),
      confirmPassword: ({ newPassword, confirmPassword }) =>
        confirmPassword === ''
          ? t('password.enterConfirm')
          : fieldText(t, format, match(newPassword, confirmPassword), t('password.enterConfirm')),
    },
  )
  /** The link does not work any more. */
  const [isOver, setOver] = useState(false)
  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    if (!fields.validate(form)) return undefined
    const { firstCode, ...passwords } = fields.texts
    const body = { code, ...passwords, ...(needsFirstCode && { firstCode: digitsOf(firstCode) }) }
    const result = await call(authRoutes.completeRecovery, { body })
    setOver(errorCodeOf(result) === 'RECOVERY_CODE_INVALID')
    if (!result.ok) return fields.showFailure(form, result.failure)
    toast({ kind: 'success', text: t('password.done') })
    return navigate(paths.login, { replace: true })
  })
  return { fields, send, busy, problem, isOver }
}
