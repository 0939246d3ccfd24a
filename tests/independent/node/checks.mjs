// One line a check, for run.sh to count.

export class Checks {
  constructor(client) {
    this.client = client;
  }

  async check(name, act) {
    try {
      await act();
      console.log(`ok      ${this.client}: ${name}`);
    } catch (error) {
      console.error(error);
      const fault = String(error?.message ?? error).replaceAll("\n", " ").slice(0, 600);
      console.log(`FAILED  ${this.client}: ${name}: ${fault}`);
    }
  }
}
