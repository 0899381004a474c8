package dev.berth.workflows.position;

/**
 * Why an order is not accepted.
 *
 * @param type the last part of the problem's type, such as {@code kill-switch}
 * @param detail what the user can do
 */
public record RefusedClose(String type, String detail) {}
