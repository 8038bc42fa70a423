import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionRoutes } from '../../../contract/session.ts'
import { accountRule, openingCodeRule, phoneRule } from '../../../contract/rules.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo, navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session } from '../../state/session.ts'
import { Field, Steps, TextLink } from '../../ui/index.ts'
import { useRiskNotice } from '../welcome/RiskConsent.tsx'
import { RiskNotice } from '../welcome/RiskNotice.tsx'
import { FormPage } from './FormPage.tsx'
import { useFields } from './useFields.ts'

/** The refusals that are about one field, and shown at it. */
const fieldOf: Record<string, 'account' | 'phone' | 'openingCode'> = {
  ACCOUNT_TAKEN: 'account',
  PHONE_TAKEN: 'phone',
  OPENING_CODE_INVALID: 'openingCode',
}

/** Registration, step 1: account, phone number and account-opening code. */
export function RegisterCheck() {
  const { t } = useTranslation()
  const format = useFormat()
  const { accepted, accept } = useRiskNotice()
  const [asking, setAsking] = useState<HTMLFormElement>()
  const [problem, setProblem] = useState<string>()
  const kept = session.registerInfo
  const fields = useFields(
    { account: kept?.account ?? '', phone: kept?.phone ?? '', openingCode: kept?.openingCode ?? '' },
    {
      account: ({ account }) => worded(accountRule(account), t('register.enterAccount')),
      phone: ({ phone }) => worded(phoneRule(bare(phone)), t('register.enterPhone')),
      openingCode: ({ openingCode }) => worded(openingCodeRule(openingCode), t('register.enterOpeningCode')),
    },
  )
  const worded = (code: ReturnType<typeof accountRule>, blank: string): string | undefined =>
    code && (code === 'REQUIRED' ? blank : codeText(t, format, code))

  const [send, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    const body = {
      account: fields.texts.account,
      phone: bare(fields.texts.phone),
      openingCode: fields.texts.openingCode.trim(),
    }
    const result = await call(sessionRoutes.registerCheck, { body })
    if (result.ok) {
      session.registerInfo = { ...body, ...result.value }
      navigate(paths.register)
      return
    }
    const { failure } = result
    if (failure.kind !== 'refused') return setProblem(failureText(t, format, failure))
    const field = fieldOf[failure.code]
    const messages = Object.entries(failure.fields).map(([name, code]) => [name, codeText(t, format, code)])
    if (field) fields.refuse(form, { [field]: failureText(t, format, failure) })
    else if (messages.length > 0) fields.refuse(form, Object.fromEntries(messages))
    else setProblem(failureText(t, format, failure))
  })
  const next = (form: HTMLFormElement): void => {
    if (!fields.check(form)) return
    if (accepted) send(form)
    else setAsking(form)
  }

  return (
    <FormPage
      step={t('register.step', { step: '1', of: '2' })}
      title={t('register.title')}
      progress={<Steps done={1} of={2} />}
      submitLabel={t('register.next')}
      busy={busy}
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
      <Field
        {...fields.bind('phone')}
        label={t('register.phone')}
        prefix="+86"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
      />
      <Field
        {...fields.bind('openingCode')}
        label={t('register.openingCode')}
        hint={t('register.openingCodeHint')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <RiskNotice
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        onAccept={() => {
          accept(true)
          setAsking(undefined)
          if (asking) send(asking)
        }}
      />
    </FormPage>
  )
}

/** A number as people write it, with spaces or dashes, as the venue wants it. */
const bare = (phone: string): string => phone.replace(/[\s-]/g, '')
