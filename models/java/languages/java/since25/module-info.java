/** A module: its class file declares no class. */
module since {
  exports since25;
}
