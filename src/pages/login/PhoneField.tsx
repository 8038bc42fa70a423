import { useTranslation } from 'react-i18next'
import { phoneCountryOf } from '../../../contract/phones.ts'
import type { PhoneCountry } from '../../../contract/phones.ts'
import { countriesIn } from '../../countries.ts'
import { localeOf } from '../../format.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { Field, Select } from '../../ui/index.ts'
import type { FieldBinding } from './useFields.ts'

export type PhoneFieldProps = {
  binding: FieldBinding
  /** The countries that the venue offers; a choice of one is none. */
  rules: readonly PhoneCountry[]
  chosen: PhoneCountry
  onCountry: (country: string) => void
}

/** A phone number behind its dialling code, and whose it is where that can differ. */
export function PhoneField({ binding, rules, chosen, onCountry }: PhoneFieldProps) {
  const { t } = useTranslation()
  const countries = countriesIn(localeOf(useLanguage()))
  return (
    <>
      {rules.length > 1 && (
        <Select
          name="country"
          label={t('register.country')}
          options={countries.filter(({ value }) => phoneCountryOf(rules, value))}
          value={chosen.country}
          onValue={onCountry}
        />
      )}
      <Field
        {...binding}
        label={t('register.phone')}
        prefix={`+${chosen.dialCode}`}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
      />
    </>
  )
}
