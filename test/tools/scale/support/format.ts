/** A whole number with its thousands apart. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A share of one in percent, with a decimal where it is small. */
export const percent = (share: number): string => {
  const hundredths = share * 100;
  return `${hundredths < 9.95 ? hundredths.toFixed(1) : whole(hundredths)} %`;
};
