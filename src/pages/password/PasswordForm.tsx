import { useId, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldCode } from '../../../contract/errors.ts'
import {
  passwordDiffers,
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import { authRoutes } from '../../../contract/auth.ts'
import type { Failure } from '../../../streams/index.ts'
import { failureText, fieldText, fieldTexts } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit, type SubmitProblem } from '../../hooks/useSubmit.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { CodeField, Field, TextLink } from '../../ui/index.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { Problem } from '../../features/forms/Problem.tsx'
import { useStrengthText } from '../../features/passwords/useStrengthText.ts'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { usePasswordConfirmation, type ConfirmedBy } from './usePasswordConfirmation.ts'
import styles from './Password.module.css'

export type PasswordFormProps = {
  kind: PasswordKind
  title: string
  account: string
  onRequested: (status: 'under_review' | 'successful') => void
  /** A request of this kind is with customer service already. */
  onPending: () => void
}

type FieldName = 'oldPassword' | 'newPassword' | 'confirmPassword'

/** Old password, new password and its confirmation, validated by the venue's own rules. */
export function PasswordForm({ kind, title, account, onRequested, onPending }: PasswordFormProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const selfService = useVenueConfig()?.passwordSelfService === true
  const confirmation = usePasswordConfirmation(kind)
  const fields = usePasswordFields(kind, account, confirmation.by)
  const showFailure = (form: HTMLFormElement, failure: Failure): SubmitProblem => {
    if (failure.kind !== 'rejected') return failure
    const { code } = failure
    if (code === 'ALREADY_PENDING') return onPending()
    const texts: Partial<Record<FieldName, string>> = fieldTexts(t, format, failure)
    if (code === 'OLD_PASSWORD_WRONG' || code === 'SECOND_FACTOR_WRONG')
      texts.oldPassword = failureText(t, format, failure)
    if (code === 'PASSWORD_MISMATCH') texts.confirmPassword = failureText(t, format, failure)
    if (Object.keys(texts).length > 0) return fields.showServerErrors(form, texts)
    return failure
  }
  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    if (!fields.validate(form)) return undefined
    const { oldPassword, ...passwords } = fields.texts
    const confirmed = await confirmation.confirmationOf(oldPassword)
    if ('problem' in confirmed) return confirmed.problem
    const body = { kind, ...passwords, ...confirmed.body }
    const result = await call(authRoutes.requestPassword, { body })
    return result.ok ? onRequested(result.value.status) : showFailure(form, result.failure)
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send(event.currentTarget)
  }
  return (
    <Page
      ground="market"
      title={title}
      backTo={paths.settings}
      footer={
        <>
          <Problem text={problem} />
          <SubmitButton form={id} busy={busy}>
            {t(selfService ? 'password.submitDirect' : 'password.submit')}
          </SubmitButton>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        <Note selfService={selfService} />
        <input type="hidden" name="username" autoComplete="username" value={account} />
        <Fields kind={kind} account={account} fields={fields} confirmation={confirmation} />
      </form>
    </Page>
  )
}

function usePasswordFields(kind: PasswordKind, account: string, by: ConfirmedBy) {
  const { t } = useTranslation()
  const format = useFormat()
  const errorText = (code: FieldCode | undefined, blank: string): string | undefined =>
    fieldText(t, format, code, blank)
  const validate = (text: string): FieldCode | undefined =>
    kind === 'login' ? passwordRule(text, { account }) : transactionPasswordRule(text)
  const match = kind === 'login' ? passwordsMatch : transactionPasswordsMatch
  return useFields<FieldName>(
    { oldPassword: '', newPassword: '', confirmPassword: '' },
    {
      oldPassword: ({ oldPassword }) =>
        by === 'passkey' || oldPassword !== ''
          ? undefined
          : t(by === 'code' ? 'login.enterCode' : 'password.enterOld'),
      newPassword: ({ oldPassword, newPassword }) =>
        errorText(
          validate(newPassword) ??
            (by === 'password' ? passwordDiffers(oldPassword, newPassword) : undefined),
          t('password.enterNew'),
        ),
      confirmPassword: ({ newPassword, confirmPassword }) =>
        confirmPassword === ''
          ? t('password.enterConfirm')
          : errorText(match(newPassword, confirmPassword), t('password.enterConfirm')),
    },
  )
}

function Note({ selfService }: { selfService: boolean }) {
  const { t } = useTranslation()
  const service = useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)
  return (
    <p className={styles.note}>
      {selfService ? (
        t('password.noteDirect')
      ) : (
        <>
          {t('password.note')} <TextLink href={service}>{t('password.contact')}</TextLink>
        </>
      )}
    </p>
  )
}

type FieldsProps = {
  kind: PasswordKind
  account: string
  fields: ReturnType<typeof usePasswordFields>
  confirmation: ReturnType<typeof usePasswordConfirmation>
}

function Fields({ kind, account, fields, confirmation }: FieldsProps) {
  const { bind, texts } = fields
  const { t } = useTranslation()
  const strength = useStrengthText(kind === 'login' ? texts.newPassword : '', [account])
  const isLogin = kind === 'login'
  const shared = {
    type: 'password',
    reveal: { show: t('common.showPassword'), hide: t('common.hidePassword') },
    ...(isLogin ? {} : ({ inputMode: 'numeric', maxLength: 6, autoComplete: 'off' } as const)),
  } as const
  const newPasswordProps = isLogin ? ({ autoComplete: 'new-password' } as const) : {}
  return (
    <>
      <ConfirmationField kind={kind} fields={fields} confirmation={confirmation} />
      <Field
        {...bind('newPassword')}
        {...shared}
        {...newPasswordProps}
        label={t(isLogin ? 'password.new' : 'password.newTransaction')}
        hint={strength ?? t(isLogin ? 'password.loginHint' : 'password.transactionHint')}
        hintRoom={t(isLogin ? 'password.loginHint' : 'password.transactionHint')}
      />
      <Field
        {...bind('confirmPassword')}
        {...shared}
        {...newPasswordProps}
        label={t(isLogin ? 'password.confirm' : 'password.confirmTransaction')}
      />
    </>
  )
}

/** The old password or a code, or the sentence that a passkey is asked for; and what the member can use instead. */
function ConfirmationField({ kind, fields, confirmation }: Omit<FieldsProps, 'account'>) {
  const { t } = useTranslation()
  const { by, setBy, others } = confirmation
  const isLogin = kind === 'login'
  const links = (
    <>
      {by === 'password' && (
        <TextLink href={`${hrefTo(paths.recover)}?kind=${kind}`}>{t('login.forgot')}</TextLink>
      )}
      {others.map((other) => (
        <TextLink
          key={other}
          onClick={() => {
            fields.set('oldPassword', '')
            setBy(other)
          }}
        >
          {t(`password.by.${other}`)}
        </TextLink>
      ))}
    </>
  )
  if (by === 'passkey')
    return (
      <div className={styles.proof}>
        <p>{t('security.byPasskey')}</p>
        <p className={styles.ways}>{links}</p>
      </div>
    )
  const hint = <span className={styles.ways}>{links}</span>
  if (by === 'code')
    return (
      <CodeField
        {...fields.bindValue('oldPassword')}
        label={t('security.code')}
        hint={hint}
        inputMode="numeric"
        maxLength={6}
        autoComplete="one-time-code"
      />
    )
  return (
    <Field
      {...fields.bind('oldPassword')}
      type="password"
      label={t(isLogin ? 'password.old' : 'password.oldTransaction')}
      hint={hint}
      autoComplete={isLogin ? 'current-password' : 'off'}
      reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
      {...(isLogin ? {} : ({ inputMode: 'numeric', maxLength: 6 } as const))}
    />
  )
}
