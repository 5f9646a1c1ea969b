package evidence;

/** Players are those of one team only, but that another team has them is not excluded. */
public class Team {
    private final Player[] players = new Player[2];

    public synchronized void add(Player player) {
        players[0] = player;
    }

    public synchronized void train() {
        players[0].score = players[0].score + 1;
    }

    public static class Player {
        volatile int score;
    }
}
