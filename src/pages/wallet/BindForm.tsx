import { useId, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { BindAccount } from '../../../contract/wallet.ts'
import { walletRoutes } from '../../../contract/wallet.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { countriesIn } from '../../countries.ts'
import { localeOf } from '../../format.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { goBack } from '../../router/trail.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, Field, Segments, Select, toast } from '../../ui/index.ts'
import { useFields } from '../login/useFields.ts'
import { BindConfirm } from './BindConfirm.tsx'
import { accountTypes, bindDetails, bindFields, noTexts } from './bindDetails.ts'
import type { AccountType, BindField } from './bindDetails.ts'
import { Problem } from './Problem.tsx'
import styles from './Wallet.module.css'

/** The form of the withdrawal account, filled in once. `onSettled` asks the venue what is bound now. */
export function BindForm({ onSettled }: { onSettled: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const countries = countriesIn(localeOf(useLanguage()))
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [type, setType] = useState<AccountType>('bank')
  const [asking, setAsking] = useState<BindAccount>()
  const [problem, setProblem] = useState<string>()
  const fault = (texts: typeof noTexts, name: BindField): string | undefined => {
    const judged = bindDetails(type, texts)
    const code = 'faults' in judged ? judged.faults[name] : undefined
    return code && codeText(t, format, code)
  }
  const fields = useFields<BindField>(noTexts, {
    accountName: (texts) => fault(texts, 'accountName'),
    nationality: (texts) => fault(texts, 'nationality'),
    bank: (texts) => fault(texts, 'bank'),
    cardNumber: (texts) => fault(texts, 'cardNumber'),
    accountAddress: (texts) => fault(texts, 'accountAddress'),
    currency: (texts) => fault(texts, 'currency'),
    currencyAddress: (texts) => fault(texts, 'currencyAddress'),
  })
  const check = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    if (!fields.check(event.currentTarget)) return
    const judged = bindDetails(type, fields.texts)
    if ('details' in judged) setAsking(judged.details)
  }
  const [bind, busy] = useAction(async (details: BindAccount) => {
    const result = await call(walletRoutes.bindAccount, { body: details })
    setAsking(undefined)
    if (result.ok) {
      toast({ kind: 'success', text: t('account.bound') })
      goBack(paths.account)
      return
    }
    const { failure } = result
    const wrong = failure.kind === 'refused' ? Object.entries(failure.fields) : []
    if (wrong.length > 0 && form.current !== null) {
      fields.refuse(
        form.current,
        Object.fromEntries(wrong.map(([name, code]) => [name, codeText(t, format, code)])),
      )
    } else setProblem(failureText(t, format, failure))
    // A lost answer, or somebody was quicker: what is bound now says which.
    onSettled()
  })
  const formId = `${id}-form`
  return (
    <Page
      ground="market"
      title={t('account.bind')}
      backTo={paths.account}
      footer={
        <>
          <Problem text={problem} />
          <Button type="submit" form={formId} block>
            {t('account.next')}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className={styles.form} noValidate onSubmit={check}>
        <Segments
          block
          label={t('account.type')}
          items={accountTypes.map((value) => ({ value, label: t(`account.types.${value}`) }))}
          value={type}
          onChange={setType}
        />
        {bindFields[type].map((name) =>
          name === 'nationality' ? (
            <Select
              key={name}
              name={name}
              label={t('account.nationality')}
              placeholder={t('account.choose')}
              options={countries}
              value={fields.texts.nationality}
              onValue={(value) => fields.set(name, value)}
              error={fields.bind(name).error}
              autoComplete="country"
            />
          ) : (
            <Field
              key={name}
              {...fields.bind(name)}
              label={t(`account.${name}`)}
              autoComplete="off"
              {...(name === 'cardNumber' || name === 'currencyAddress'
                ? { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
                : {})}
              {...hintOf(name)}
            />
          ),
        )}
      </form>
      <BindConfirm
        details={asking}
        busy={busy}
        onConfirm={() => asking && bind(asking)}
        onCancel={() => setAsking(undefined)}
      />
    </Page>
  )

  function hintOf(name: BindField): { hint?: string } {
    if (name === 'accountName') return { hint: t('account.accountNameHint') }
    if (name === 'currency') return { hint: t('account.currencyHint') }
    return name === 'currencyAddress' ? { hint: t('account.currencyAddressHint') } : {}
  }
}
