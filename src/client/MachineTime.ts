/** The current time of the machine's clock. */
export const machineTime = (): Date => new Date()
