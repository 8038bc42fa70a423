import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session, type RegisterInfo } from '../../state/session.ts'
import { Field, Steps } from '../../ui/index.ts'
import { useStrengthText } from '../../features/passwords/useStrengthText.ts'
import { FormPage } from './FormPage.tsx'
import { useRegister } from './useRegister.ts'

/** Registration, step 2. Redirects to step 1 if that has not been completed. */
export function Register() {
  // Read once: it is cleared at the end, which must not redirect to step 1.
  const [info] = useState(() => session.registerInfo)
  const missing = info === null
  useEffect(() => {
    if (missing) navigate(paths.registerCheck, { replace: true })
  }, [missing])
  return info && <Passwords info={info} />
}

function Passwords({ info }: { info: RegisterInfo }) {
  const { t } = useTranslation()
  const { fields, send, busy, problem } = useRegister(info)
  const strength = useStrengthText(fields.texts.password, [info.account, info.phone])
  const reveal = { show: t('common.showPassword'), hide: t('common.hidePassword') }
  const pinProps = {
    type: 'password',
    inputMode: 'numeric',
    maxLength: 6,
    autoComplete: 'off',
    reveal,
  } as const
  return (
    <FormPage
      step={t('register.step', { step: '2', of: '2' })}
      title={t('register.title')}
      progress={<Steps done={2} of={2} />}
      backTo={paths.registerCheck}
      submitLabel={t('register.submit')}
      busy={busy}
      problem={problem}
      onSubmit={send}
    >
      <input type="hidden" name="username" autoComplete="username" value={info.account} />
      <Field
        {...fields.bind('password')}
        type="password"
        label={t('register.password')}
        hint={strength ?? t('password.loginHint')}
        hintRoom={t('password.loginHint')}
        autoComplete="new-password"
        reveal={reveal}
      />
      <Field
        {...fields.bind('confirmPassword')}
        type="password"
        label={t('register.confirmPassword')}
        autoComplete="new-password"
        reveal={reveal}
      />
      <Field
        {...fields.bind('transactionPassword')}
        {...pinProps}
        label={t('register.transactionPassword')}
        hint={t('password.transactionHint')}
      />
      <Field
        {...fields.bind('confirmTransactionPassword')}
        {...pinProps}
        label={t('register.confirmTransactionPassword')}
      />
    </FormPage>
  )
}
