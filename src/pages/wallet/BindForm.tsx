import { useId, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useCountries } from '../../hooks/useCountries.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, Segments, Select } from '../../ui/index.ts'
import { BindConfirm } from './BindConfirm.tsx'
import { accountTypes, bindFields, type BindField } from './bindDetails.ts'
import { Problem } from '../../features/forms/Problem.tsx'
import { TransactionPasswordField } from '../../features/passkeys/TransactionPasswordField.tsx'
import { useBind, type BindFormState } from './useBind.ts'
import styles from './Wallet.module.css'

/** The form that binds a withdrawal account, once. `onFinished` reloads the bound account. */
export function BindForm({ onFinished }: { onFinished: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const form = useBind(onFinished)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.check(event.currentTarget)
  }
  return (
    <Page
      ground="market"
      title={t('account.bind')}
      backTo={paths.account}
      receives="events"
      footer={
        <>
          <Problem text={form.problem} />
          <SubmitButton form={id}>{t('account.next')}</SubmitButton>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        <Segments
          block
          label={t('account.type')}
          items={accountTypes.map((value) => ({ value, label: t(`account.types.${value}`) }))}
          value={form.type}
          onChange={form.setType}
        />
        {bindFields[form.type].map((name) => (
          <BindFormField key={name} name={name} form={form} />
        ))}
      </form>
      <BindConfirm
        details={form.confirming}
        busy={form.busy}
        onConfirm={() => form.bind()}
        onCancel={form.cancel}
      />
    </Page>
  )
}

/** For numbers and addresses, which a keyboard must not correct. */
const noAutocorrect = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

function BindFormField({ name, form }: { name: BindField; form: BindFormState }) {
  const { t } = useTranslation()
  const countries = useCountries()
  const { fields } = form
  if (name === 'nationality') {
    return (
      <Select
        name={name}
        label={t('account.nationality')}
        placeholder={t('account.choose')}
        options={countries}
        value={fields.texts.nationality}
        onValue={(value) => fields.set(name, value)}
        error={fields.bind(name).error}
        autoComplete="country"
      />
    )
  }
  if (name === 'transactionPassword')
    return <TransactionPasswordField {...fields.bind(name)} choice={form.choice} />
  const hint = name === 'bank' ? undefined : t(`account.${name}Hint`)
  return (
    <Field
      {...fields.bind(name)}
      label={t(`account.${name}`)}
      hint={hint}
      autoComplete="off"
      {...(['cardNumber', 'currencyAddress', 'memo'].includes(name) ? noAutocorrect : {})}
    />
  )
}
