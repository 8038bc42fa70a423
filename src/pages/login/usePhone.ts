import { useTranslation } from 'react-i18next'
import { china, phoneCountryOf, phoneRule, plainPhone, type PhoneCountry } from '../../../contract/phones.ts'
import { fieldText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'

type PhoneTexts = { phone: string; country: string }

/** A phone number by the rules of the countries that the venue offers. */
export function usePhone() {
  const { t } = useTranslation()
  const format = useFormat()
  const rules = useVenueConfig()?.phoneRules ?? [china]
  // A country that is no longer offered is replaced by the first one.
  const ruleOf = (country: string): PhoneCountry => phoneCountryOf(rules, country) ?? rules[0] ?? china
  return {
    rules,
    ruleOf,
    /** The fields of a request. The country is sent if there is a choice. */
    body: ({ phone, country }: PhoneTexts) => ({
      phone: plainPhone(phone, ruleOf(country)),
      ...(rules.length > 1 && { country: ruleOf(country).country }),
    }),
    validate: ({ phone, country }: PhoneTexts): string | undefined => {
      const rule = ruleOf(country)
      const code = phoneRule(plainPhone(phone, rule), rule)
      if (code === 'PHONE_FORMAT' && rule.country !== china.country) return t('register.phoneFormat')
      return fieldText(t, format, code, t('register.enterPhone'))
    },
  }
}
