import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { CodeField, Field, Steps, TextLink } from '../../ui/index.ts'
import { RiskNotice } from '../../features/content/RiskNotice.tsx'
import { useRiskNotice } from '../../features/content/useRiskNotice.ts'
import { FormPage } from './FormPage.tsx'
import { PhoneField } from './PhoneField.tsx'
import { useRegisterCheck } from './useRegisterCheck.ts'

/** Registration, step 1: account, phone number and account-opening code. */
export function RegisterCheck() {
  const { t } = useTranslation()
  const { accepted, accept } = useRiskNotice()
  const [pendingForm, setPendingForm] = useState<HTMLFormElement>()
  const { fields, rules, rule, send, busy, isWorking, problem } = useRegisterCheck()
  const next = (form: HTMLFormElement): void => {
    if (!fields.validate(form)) return
    if (accepted) send(form)
    else setPendingForm(form)
  }

  return (
    <FormPage
      step={t('register.step', { step: '1', of: '2' })}
      title={t('register.title')}
      progress={<Steps done={1} of={2} />}
      submitLabel={t('register.next')}
      busy={busy}
      isWorking={isWorking}
      problem={problem}
      onSubmit={next}
      foot={
        <>
          {t('register.haveAccount')}{' '}
          <TextLink size={15} strong href={hrefTo(paths.login)}>
            {t('register.login')}
          </TextLink>
        </>
      }
    >
      <Field
        {...fields.bind('account')}
        label={t('register.account')}
        hint={t('register.accountHint')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PhoneField
        binding={fields.bind('phone')}
        rules={rules}
        selected={rule}
        onCountry={(country) => fields.set('country', country)}
      />
      <CodeField
        {...fields.bindValue('openingCode')}
        label={t('register.openingCode')}
        hint={t('register.openingCodeHint')}
        maxLength={64}
        autoCapitalize="characters"
      />
      <RiskNotice
        open={pendingForm !== undefined}
        onClose={() => setPendingForm(undefined)}
        onAccept={() => {
          accept(true)
          setPendingForm(undefined)
          if (pendingForm) send(pendingForm)
        }}
      />
    </FormPage>
  )
}
