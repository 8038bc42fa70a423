import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { useQuery } from '../../router/useQuery.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Field, TextLink } from '../../ui/index.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { FormPage } from './FormPage.tsx'
import { useLogin } from './useLogin.ts'

/** Log in. The shell redirects once there is a session. */
export function Login() {
  const { t } = useTranslation()
  const format = useFormat()
  const [query] = useQuery()
  const { fields, send, busy, problem, waitMs, endWait, captcha } = useLogin(query.get('account') ?? '')
  const account = fields.bind('account')
  return (
    <FormPage
      title={t('login.title')}
      submitLabel={t('login.submit')}
      busy={busy}
      problem={waitMs > 0 ? t('login.tooManyTries') : problem}
      off={waitMs > 0 ? t('login.waitLeft', { wait: format.wait(waitMs) }) : undefined}
      onSubmit={send}
      foot={
        <>
          {t('login.noAccount')}{' '}
          <TextLink size={15} strong href={hrefTo(paths.registerCheck)}>
            {t('login.register')}
          </TextLink>
        </>
      }
    >
      <Field
        {...account}
        onChange={(event) => {
          endWait()
          account.onChange(event)
        }}
        label={t('login.account')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Field
        {...fields.bind('password')}
        type="password"
        label={t('login.password')}
        autoComplete="current-password"
        hint={<TextLink href={hrefTo(paths.recover)}>{t('login.forgot')}</TextLink>}
        reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
      />
      {captcha && (
        <CaptchaField
          key={captcha.picture}
          binding={fields.bind('captcha')}
          onPicture={captcha.setCaptchaId}
          onRenew={captcha.renewPicture}
        />
      )}
    </FormPage>
  )
}
